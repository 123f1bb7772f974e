import type { AgentDescriptor } from '../descriptor';

export const clineDescriptor: AgentDescriptor = {
  id: 'cline',
  name: 'Cline',
  testedWith: 'read in tasks of 2025-10 to 2026-04 and a session of the newer form',
  transcripts: "tasks of the editor's extension, `~/.cline/data`",
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'yes (newer form: questions only)',
    turnEnd: 'its claim to be done, or its question',
    loopCheck: 'none',
    liveness: 'none',
  },
  summary: {
    read: 'yes',
    nudged: 'no',
    stopped: 'no',
    refused: 'no',
    restarted: 'no',
  },
};
