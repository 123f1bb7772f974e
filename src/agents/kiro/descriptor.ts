import type { AgentDescriptor } from '../descriptor';

export const kiroDescriptor: AgentDescriptor = {
  id: 'kiro',
  name: 'Kiro CLI',
  testedWith: 'read in files of 2.x',
  transcripts: '`~/.kiro/sessions/cli/<id>.jsonl`',
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'no',
    turnEnd: 'inferred from the answer',
    loopCheck: 'none',
    liveness: 'lock with process id',
  },
  summary: {
    read: 'yes',
    nudged: 'no',
    stopped: 'no',
    refused: 'no',
    restarted: 'with your own template',
  },
};
