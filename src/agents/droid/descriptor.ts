import type { AgentDescriptor } from '../descriptor';

export const droidDescriptor: AgentDescriptor = {
  id: 'droid',
  name: 'Droid',
  experimental: true,
  testedWith: 'three real sessions without a call, and samples of others',
  tested: { oldest: '0.215.0', newest: '0.225.2' },
  packages: ['droid'],
  transcripts: '`~/.factory/sessions/<folder>/<id>.jsonl`',
  shows: {
    runningTool: 'yes',
    turnEnd: 'inferred from the answer',
    liveness: 'its process, Linux',
  },
  summary: {
    read: 'experimental',
    nudged: 'yes; does not wake idle ones',
    stopped: 'at its next call',
    refused: 'yes',
  },
  messages: {
    whileWorking: 'yes; after a call that failed by refusing the next one',
    atEnd: 'yes',
    heldByGate: 'not tried',
    wakesIdle: 'no',
    stop: 'at the next call',
    blockCall: 'yes',
    runningSessions: 'not tried',
  },
};
