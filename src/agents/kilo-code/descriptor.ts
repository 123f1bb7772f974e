import type { AgentDescriptor } from '../descriptor';

export const kiloCodeDescriptor: AgentDescriptor = {
  id: 'kilo-code',
  name: 'Kilo Code',
  what: 'Agent in an extension of VS Code, a descendant of Roo Code',
  experimental: true,
  noSample: true,
  testedWith: 'documented types only',
  transcripts: "tasks of the editor's extension",
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'for a question',
    turnEnd: 'by its claim',
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
