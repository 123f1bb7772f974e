import type { AgentDescriptor } from '../descriptor';

export const openhandsDescriptor: AgentDescriptor = {
  id: 'openhands',
  name: 'OpenHands',
  testedWith: 'read in SDK events of 2026-06 and a trajectory of 2025-01',
  transcripts: 'SDK `events.jsonl`; trajectories (a list of events)',
  shows: {
    runningTool: 'yes',
    waiting: 'confirmations only',
    turnEnd: 'yes',
    loopCheck: 'written (not seen)',
  },
  summary: {
    read: 'yes',
  },
};
