import type { AgentDescriptor } from '../descriptor';

export const hermesDescriptor: AgentDescriptor = {
  id: 'hermes',
  name: 'Hermes',
  experimental: true,
  testedWith: 'read in rows of August 2026',
  transcripts: '`~/.hermes/state.db`',
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
    restarted: 'with your own template',
  },
};
