import type { AgentDescriptor } from '../descriptor';

export const sweAgentDescriptor: AgentDescriptor = {
  id: 'swe-agent',
  name: 'SWE-agent',
  testedWith: 'read in files of 0.x and 1.0.1',
  transcripts: '`*.traj`',
  shows: {
    runningTool: 'no',
    turnEnd: 'at the end of the run',
  },
  summary: {
    read: 'yes',
  },
};
