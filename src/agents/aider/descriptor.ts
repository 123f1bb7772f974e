import type { AgentDescriptor } from '../descriptor';

export const aiderDescriptor: AgentDescriptor = {
  id: 'aider',
  name: 'aider',
  testedWith: 'read in files of 0.4x',
  transcripts: '`.aider.chat.history.md`',
  shows: {
    runningTool: 'no',
    turnEnd: 'inferred from its lines',
  },
  summary: {
    read: 'yes',
  },
};
