import type { AgentDescriptor } from '../descriptor';

export const cursorDescriptor: AgentDescriptor = {
  id: 'cursor',
  name: 'Cursor',
  experimental: true,
  testedWith: 'read in files of 2026; their calls have no outcome',
  transcripts: '`~/.cursor/projects/<folder>/agent-transcripts/<id>/<id>.jsonl`',
  shows: {
    runningTool: 'no',
    turnEnd: 'newer versions',
  },
  summary: {
    read: 'experimental: texts and calls, no outcomes',
    nudged: 'by its documentation, not tried',
    refused: 'by its documentation, not tried',
  },
  messages: {
    whileWorking: 'expected',
    atEnd: 'expected: not in `agent -p`',
    heldByGate: 'no',
    wakesIdle: 'no',
    stop: 'no',
    blockCall: 'expected',
    runningSessions: 'not tried',
  },
};
