import type { AgentAdapter } from './adapter';
import { aider } from './aider';
import { atif } from './atif';
import { claudeCode } from './claude-code';
import { codex } from './codex';
import { copilot } from './copilot';
import { gemini, geminiDocument } from './gemini';
import { generic } from './generic';
import { miniSweAgent, miniSweAgentLog } from './mini-swe-agent';
import { pi } from './pi';
import { qwen } from './qwen';
import { sweAgent } from './swe-agent';

/** All agents that Unstuck understands: the only list. An own format goes before the generic one. */
export const registry: readonly AgentAdapter[] = [
  claudeCode,
  codex,
  gemini,
  geminiDocument,
  copilot,
  qwen,
  pi,
  sweAgent,
  miniSweAgent,
  miniSweAgentLog,
  aider,
  atif,
  generic,
];
