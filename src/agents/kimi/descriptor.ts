import type { AgentDescriptor } from '../descriptor';

export const kimiDescriptor: AgentDescriptor = {
  id: 'kimi',
  name: 'Kimi',
  fullName: 'Kimi CLI, Kimi Code',
  testedWith: 'read in files of protocol 1.3 (Kimi CLI) and 1.4 (Kimi Code)',
  transcripts:
    '`~/.kimi/sessions/<folder>/<id>/wire.jsonl`, `~/.kimi-code/sessions/<folder>/<id>/agents/<agent>/wire.jsonl`',
  shows: {
    runningTool: 'yes',
    waiting: 'yes (Kimi Code: no)',
    turnEnd: 'yes',
  },
  summary: {
    read: 'yes',
  },
};
