import type { AgentDescriptor } from '../descriptor';

export const mistralVibeDescriptor: AgentDescriptor = {
  id: 'mistral-vibe',
  name: 'Mistral Vibe',
  experimental: true,
  testedWith: 'read in files of July 2026',
  transcripts: '`~/.vibe/logs/session/<session>/messages.jsonl`',
  shows: {
    runningTool: 'yes',
    turnEnd: 'inferred from the answer',
  },
  summary: {
    read: 'experimental',
  },
};
