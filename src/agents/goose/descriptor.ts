import type { AgentDescriptor } from '../descriptor';

export const gooseDescriptor: AgentDescriptor = {
  id: 'goose',
  name: 'goose',
  experimental: true,
  noSample: true,
  testedWith: 'documented types only',
  transcripts: '`~/.local/share/goose/sessions/*.jsonl`',
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'confirmations only',
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
