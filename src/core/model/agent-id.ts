// Written by `npm run generate` from the descriptors in src/agents. Do not edit.

/** The agents whose transcripts Unstuck understands, by the ids that records and settings use. */
export const AGENT_IDS = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'vscode-chat',
  'copilot-cli',
  'qwen-code',
  'pi',
  'openhands',
  'swe-agent',
  'mini-swe-agent',
  'aider',
  'cline',
  'roo-code',
  'kilo-code',
  'goose',
  'antigravity',
  'kimi',
  'kiro',
  'crush',
  'cursor',
  'droid',
  'amp',
  'atif',
  'generic',
] as const;

export type AgentId = (typeof AGENT_IDS)[number];

export function isAgentId(value: unknown): value is AgentId {
  return typeof value === 'string' && (AGENT_IDS as readonly string[]).includes(value);
}
