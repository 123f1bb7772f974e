import type { AgentDescriptor } from '../descriptor';

export const antigravityDescriptor: AgentDescriptor = {
  id: 'antigravity',
  name: 'Antigravity',
  testedWith: 'read in files of 2026-06 to 2026-08',
  transcripts: '`~/.gemini/antigravity/brain/<id>/.system_generated/logs/transcript.jsonl`, `antigravity-cli` likewise',
  shows: {
    runningTool: 'yes',
    waiting: 'only if it asks through a tool',
    turnEnd: 'inferred from the answer',
  },
  summary: {
    read: 'yes',
  },
};
