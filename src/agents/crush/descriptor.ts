import type { AgentDescriptor } from '../descriptor';

export const crushDescriptor: AgentDescriptor = {
  id: 'crush',
  name: 'Crush',
  testedWith: 'read in databases of 2025-07 and 2025-08',
  transcripts: '`.crush/crush.db` in the project',
  shows: {
    runningTool: 'yes',
    turnEnd: 'yes',
  },
  summary: {
    read: 'yes',
    nudged: 'by its documentation, not tried',
    stopped: 'by its documentation, not tried',
    refused: 'by its documentation, not tried',
  },
  messages: {
    whileWorking: 'expected: with its next call',
    atEnd: 'no',
    heldByGate: 'no',
    wakesIdle: 'no',
    stop: 'expected: at the next call',
    blockCall: 'expected',
    runningSessions: 'not tried',
  },
};
