import type { AgentDescriptor } from '../descriptor';

export const hermesDescriptor: AgentDescriptor = {
  id: 'hermes',
  name: 'Hermes',
  experimental: true,
  testedWith: 'read in rows of August 2026',
  transcripts: '`~/.hermes/state.db`',
  shows: {
    runningTool: 'yes',
    turnEnd: 'yes',
  },
  summary: {
    read: 'experimental',
  },
};
