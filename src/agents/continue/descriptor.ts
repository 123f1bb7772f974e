import type { AgentDescriptor } from '../descriptor';

export const continueDescriptor: AgentDescriptor = {
  id: 'continue',
  name: 'Continue',
  experimental: true,
  testedWith: 'read in sessions of its command line 1.5.47',
  transcripts: '`~/.continue/sessions/<id>.json`',
  shows: {
    runningTool: 'yes',
    turnEnd: 'inferred from the answer',
  },
  summary: {
    read: 'experimental',
  },
};
