// Written by `npm run generate` from the descriptors in src/agents. Do not edit.

/** The agents whose transcripts Unstuck understands, by the ids that records and settings use. */
export const AGENT_IDS = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'kilo-code',
  'vscode-chat',
  'copilot-cli',
  'qwen-code',
  'pi',
  'openhands',
  'swe-agent',
  'mini-swe-agent',
  'aider',
  'cline',
  'antigravity',
  'kimi',
  'kiro',
  'hermes',
  'crush',
  'cursor',
  'droid',
  'continue',
  'grok-build',
  'mistral-vibe',
  'atif',
  'generic',
] as const;

/** The same with the agents that earlier versions read: records of the history and of other versions name them. */
export const RECORDED_AGENT_IDS = [...AGENT_IDS, 'roo-code', 'goose', 'amp'] as const;

export type AgentId = (typeof RECORDED_AGENT_IDS)[number];

export function isAgentId(value: unknown): value is AgentId {
  return typeof value === 'string' && (AGENT_IDS as readonly string[]).includes(value);
}
