import type { AgentDescriptor } from '../descriptor';

export const miniSweAgentDescriptor: AgentDescriptor = {
  id: 'mini-swe-agent',
  name: 'mini-swe-agent',
  testedWith: 'read in files of 1.x and 2.2',
  transcripts: '`*.traj.json`, terminal logs',
  looksByItself: false,
  shows: {
    runningTool: 'logs only',
    waiting: 'no',
    turnEnd: 'at the end of the run',
    loopCheck: 'none',
    liveness: 'none',
  },
  summary: {
    read: 'yes',
    nudged: 'no',
    stopped: 'no',
    refused: 'no',
    restarted: 'with your own template',
  },
};
