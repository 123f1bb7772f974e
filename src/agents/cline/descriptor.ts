import type { AgentDescriptor } from '../descriptor';

export const clineDescriptor: AgentDescriptor = {
  id: 'cline',
  name: 'Cline',
  what: 'Agent in an extension of VS Code',
  experimental: true,
  testedWith: 'one real session of the newer form',
  transcripts: "tasks of the editor's extension, `~/.cline/data/sessions`",
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
