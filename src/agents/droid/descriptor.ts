import type { AgentDescriptor } from '../descriptor';

export const droidDescriptor: AgentDescriptor = {
  id: 'droid',
  name: 'Droid',
  experimental: true,
  testedWith: 'three real sessions without a call, and samples of others',
  transcripts: '`~/.factory/sessions/<folder>/<id>.jsonl`',
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'no',
    turnEnd: 'inferred from the answer',
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
