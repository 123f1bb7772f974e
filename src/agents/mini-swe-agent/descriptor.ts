import type { AgentDescriptor } from '../descriptor';

export const miniSweAgentDescriptor: AgentDescriptor = {
  id: 'mini-swe-agent',
  name: 'mini-swe-agent',
  testedWith: 'read in files of 1.x and 2.2',
  transcripts: '`*.traj.json`, terminal logs',
  shows: {
    runningTool: 'logs only',
    turnEnd: 'at the end of the run',
  },
  summary: {
    read: 'yes',
  },
};
