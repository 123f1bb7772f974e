import type { AgentDescriptor } from '../descriptor';

export const kiroDescriptor: AgentDescriptor = {
  id: 'kiro',
  name: 'Kiro CLI',
  testedWith: 'read in files of 2.x',
  transcripts: '`~/.kiro/sessions/cli/<id>.jsonl`',
  shows: {
    runningTool: 'yes',
    turnEnd: 'inferred from the answer',
    liveness: 'lock with process id',
  },
  summary: {
    read: 'yes',
  },
};
