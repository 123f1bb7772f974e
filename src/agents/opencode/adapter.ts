import type { AgentAdapter } from '../adapter';
import { printer } from '../sqlite/rows';
import { PARTS_AT_ONCE, rowsOf } from './rows';
import {
  databaseRoots,
  peekExport,
  peekStream,
  recognisesDatabase,
  recognisesExport,
  recognisesStream,
} from './locate';
import { OPENCODE, type OpencodeProgram } from './program';
import { opencodeDescriptor } from './descriptor';
import { copied } from '../shared/decode';

/** One database in WAL mode for the sessions of all folders (measured with OpenCode 1.18.33). */
export function databaseOf(program: OpencodeProgram): AgentAdapter {
  return {
    id: program.agent,
    name: program.name,
    unit: 'database',
    locate: (environment) => databaseRoots(program, environment),
    recognises: (head, file) => recognisesDatabase(program, head, file),
    peek: () => ({}),
    decoder: 'opencode',
    // Counted by a separate query: freed pages and the log of events hold copies of every call.
    callMarkers: [],
    print: printer({
      next: (image, session, behind) => rowsOf(image).parts(session, 0, behind),
      atOnce: PARTS_AT_ONCE,
      line: ({ data }) => data,
    }),
    tooLarge: `Write single sessions into files with \`${program.program} export <session>\`, and scan those.`,
    showsRunningTool: true,
    turnEnds: 'yes',
  };
}

export const opencode = databaseOf(OPENCODE);

/** A session as `opencode export` prints it. */
export const opencodeExport: AgentAdapter = {
  id: opencodeDescriptor.id,
  name: opencodeDescriptor.name,
  unit: 'document',
  locate: () => [],
  recognises: recognisesExport,
  peek: peekExport,
  decoder: 'opencodeExport',
  callMarkers: ['"callID": "', '"callID":"'],
  createOwnCalls: createExportCalls,
  showsRunningTool: true,
  turnEnds: 'yes',
};

/** Output of `opencode run --format json`: a call is printed after it has ended. */
export const opencodeStream: AgentAdapter = {
  id: opencodeDescriptor.id,
  name: opencodeDescriptor.name,
  unit: 'line',
  locate: () => [],
  recognises: recognisesStream,
  peek: peekStream,
  decoder: 'opencodeStream',
  callMarkers: ['"type":"tool_use","timestamp":'],
  showsRunningTool: false,
  turnEnds: 'yes',
};

/** Counts calls; those of repeated messages count once. */
function createExportCalls(): (text: string, found: number) => number {
  const counted = new Set<string>();
  return (text, found) => {
    if (found === 0) return 0;
    const before = counted.size;
    // A slice of the text would keep the whole text in memory.
    for (const match of text.matchAll(/"callID":\s?"([^"\\]{1,200})"/g)) counted.add(copied(match[1] ?? ''));
    return counted.size - before;
  };
}
