import type { AgentDescriptor } from '../descriptor';

export const ampDescriptor: AgentDescriptor = {
  id: 'amp',
  name: 'Amp',
  experimental: true,
  testedWith: 'three sessions of 2025-10, none with a failed call',
  transcripts: '`~/.local/share/amp/threads/T-<id>.json`',
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'no',
    turnEnd: 'yes',
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
