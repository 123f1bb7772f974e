import type { AgentDescriptor } from '../descriptor';

export const rooCodeDescriptor: AgentDescriptor = {
  id: 'roo-code',
  name: 'Roo Code',
  what: 'Agent in an extension of VS Code, a descendant of Cline',
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
