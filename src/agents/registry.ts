import type { AgentAdapter } from './adapter';
import { aider } from './aider';
import { atif } from './atif';
import { claudeCode } from './claude-code';
import { cline } from './cline';
import { codex } from './codex';
import { copilot } from './copilot';
import { gemini, geminiDocument } from './gemini';
import { generic } from './generic';
import { goose } from './goose';
import { miniSweAgent, miniSweAgentLog } from './mini-swe-agent';
import { opencode, opencodeExport, opencodeStream } from './opencode';
import { openhands, openhandsDocument } from './openhands';
import { pi } from './pi';
import { qwen } from './qwen';
import { rooCode } from './roo-code';
import { sweAgent } from './swe-agent';

/** All agents that Unstuck understands: the only list. An own format goes before the generic one. */
export const registry: readonly AgentAdapter[] = [
  claudeCode,
  codex,
  gemini,
  geminiDocument,
  copilot,
  opencode,
  opencodeExport,
  opencodeStream,
  qwen,
  pi,
  sweAgent,
  miniSweAgent,
  miniSweAgentLog,
  aider,
  openhands,
  openhandsDocument,
  rooCode,
  cline,
  goose,
  atif,
  generic,
];
