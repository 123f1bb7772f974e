import type { AgentId } from '../../core/model';
import type { AgentDescriptor } from '../descriptor';

/**
 * Describes an extension that began as a copy of Cline: its tasks are read by their documented types, without a sample of its
 * own.
 */
export function descendantDescriptor(id: AgentId, name: string): AgentDescriptor {
  return {
    id,
    name,
    experimental: true,
    noSample: true,
    testedWith: 'documented types only',
    transcripts: "tasks of the editor's extension",
    looksByItself: true,
    shows: {
      runningTool: 'yes',
      waiting: 'questions only',
      turnEnd: 'its claim to be done',
      loopCheck: 'none',
      liveness: 'none',
    },
    summary: {
      read: 'experimental',
      nudged: 'no',
      stopped: 'no',
      refused: 'no',
      restarted: 'no',
    },
  };
}
