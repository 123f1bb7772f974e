import type { AgentDescriptor } from '../descriptor';

export const cursorDescriptor: AgentDescriptor = {
  id: 'cursor',
  name: 'Cursor',
  experimental: true,
  testedWith: 'read in files of 2026; their calls have no outcome',
  transcripts: '`~/.cursor/projects/<folder>/agent-transcripts/<id>/<id>.jsonl`',
  looksByItself: true,
  shows: {
    runningTool: 'no',
    waiting: 'no',
    turnEnd: 'newer versions',
    loopCheck: 'none',
    liveness: 'none',
  },
  summary: {
    read: 'experimental: texts and calls, no outcomes',
    nudged: 'no',
    stopped: 'no',
    refused: 'no',
    restarted: 'no',
  },
};
