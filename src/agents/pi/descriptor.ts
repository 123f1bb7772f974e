import type { AgentDescriptor } from '../descriptor';

export const piDescriptor: AgentDescriptor = {
  id: 'pi',
  name: 'pi',
  testedWith: 'read in files of version 3',
  transcripts: '`~/.pi/agent/sessions/<folder>/*.jsonl`',
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
