import type { AgentDescriptor } from '../descriptor';

export const genericDescriptor: AgentDescriptor = {
  id: 'generic',
  name: 'Agent',
  fullName: 'any other agent',
  summaryName: 'any agent that writes `*.agent.jsonl`',
  testedWith: 'version 1',
  transcripts: '`*.agent.jsonl` in the workspace ([transcript.md](transcript.md))',
  shows: {
    runningTool: 'yes',
    waiting: 'if it is written',
    turnEnd: 'if it is written',
    loopCheck: '–',
  },
  summary: {
    read: 'yes',
    nudged: 'messages wait in the [inbox](docs/inbox.md), a documented folder',
    stopped: 'with `unstuck run`',
    restarted: 'with `unstuck run`',
  },
};
