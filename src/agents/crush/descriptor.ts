import type { AgentDescriptor } from '../descriptor';

export const crushDescriptor: AgentDescriptor = {
  id: 'crush',
  name: 'Crush',
  testedWith: 'read in databases of 2025-07 and 2025-08',
  transcripts: '`.crush/crush.db` in the project',
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'no',
    turnEnd: 'yes',
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
