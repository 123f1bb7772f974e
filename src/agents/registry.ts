import type { AgentAdapter } from './adapter';
import type { AgentDescriptor } from './descriptor';
import { claudeCode } from './claude-code/adapter';
import { claudeCodeDescriptor } from './claude-code/descriptor';
import { codex, codexStream } from './codex/adapter';
import { codexDescriptor } from './codex/descriptor';
import { gemini, geminiDocument } from './gemini/adapter';
import { geminiDescriptor } from './gemini/descriptor';
import { opencode, opencodeExport, opencodeStream } from './opencode/adapter';
import { opencodeDescriptor } from './opencode/descriptor';
import { copilot } from './copilot/adapter';
import { copilotDescriptor } from './copilot/descriptor';
import { qwen } from './qwen/adapter';
import { qwenDescriptor } from './qwen/descriptor';
import { pi } from './pi/adapter';
import { piDescriptor } from './pi/descriptor';
import { openhands, openhandsDocument } from './openhands/adapter';
import { openhandsDescriptor } from './openhands/descriptor';
import { sweAgent } from './swe-agent/adapter';
import { sweAgentDescriptor } from './swe-agent/descriptor';
import { miniSweAgent, miniSweAgentLog } from './mini-swe-agent/adapter';
import { miniSweAgentDescriptor } from './mini-swe-agent/descriptor';
import { aider } from './aider/adapter';
import { aiderDescriptor } from './aider/descriptor';
import { cline } from './cline/adapter';
import { clineDescriptor } from './cline/descriptor';
import { rooCode } from './roo-code/adapter';
import { rooCodeDescriptor } from './roo-code/descriptor';
import { goose } from './goose/adapter';
import { gooseDescriptor } from './goose/descriptor';
import { atif } from './atif/adapter';
import { atifDescriptor } from './atif/descriptor';
import { generic } from './generic/adapter';
import { genericDescriptor } from './generic/descriptor';

/** One kind of agent: what is said about it, and one adapter for each form in which it writes. */
interface Agent {
  readonly descriptor: AgentDescriptor;
  readonly adapters: readonly AgentAdapter[];
}

/** All agents that Unstuck understands: the only list. An agent's own format goes before the generic one. */
const agents: readonly Agent[] = [
  { descriptor: claudeCodeDescriptor, adapters: [claudeCode] },
  { descriptor: codexDescriptor, adapters: [codex, codexStream] },
  { descriptor: geminiDescriptor, adapters: [gemini, geminiDocument] },
  { descriptor: opencodeDescriptor, adapters: [opencode, opencodeExport, opencodeStream] },
  { descriptor: copilotDescriptor, adapters: [copilot] },
  { descriptor: qwenDescriptor, adapters: [qwen] },
  { descriptor: piDescriptor, adapters: [pi] },
  { descriptor: openhandsDescriptor, adapters: [openhands, openhandsDocument] },
  { descriptor: sweAgentDescriptor, adapters: [sweAgent] },
  { descriptor: miniSweAgentDescriptor, adapters: [miniSweAgent, miniSweAgentLog] },
  { descriptor: aiderDescriptor, adapters: [aider] },
  { descriptor: clineDescriptor, adapters: [cline] },
  { descriptor: rooCodeDescriptor, adapters: [rooCode] },
  { descriptor: gooseDescriptor, adapters: [goose] },
  { descriptor: atifDescriptor, adapters: [atif] },
  { descriptor: genericDescriptor, adapters: [generic] },
];

/** Everything that reads transcripts, in the order in which a file is tried. */
export const registry: readonly AgentAdapter[] = agents.flatMap(({ adapters }) => adapters);

export const descriptors: readonly AgentDescriptor[] = agents.map(({ descriptor }) => descriptor);
