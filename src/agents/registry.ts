import type { AgentId } from '../core/model';
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
import { vscodeChat } from './vscode-chat/adapter';
import { vscodeChatDescriptor } from './vscode-chat/descriptor';
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
import { cline, clineConversation } from './cline/adapter';
import { clineDescriptor } from './cline/descriptor';
import { kiloCode } from './kilo-code/adapter';
import { kiloCodeDescriptor } from './kilo-code/descriptor';
import { antigravity } from './antigravity/adapter';
import { antigravityDescriptor } from './antigravity/descriptor';
import { kimi, kimiCode } from './kimi/adapter';
import { kimiDescriptor } from './kimi/descriptor';
import { kiro } from './kiro/adapter';
import { kiroDescriptor } from './kiro/descriptor';
import { crush } from './crush/adapter';
import { crushDescriptor } from './crush/descriptor';
import { cursor } from './cursor/adapter';
import { cursorDescriptor } from './cursor/descriptor';
import { droid } from './droid/adapter';
import { droidDescriptor } from './droid/descriptor';
import { continueCli } from './continue/adapter';
import { continueDescriptor } from './continue/descriptor';
import { grokBuild } from './grok-build/adapter';
import { grokBuildDescriptor } from './grok-build/descriptor';
import { hermes } from './hermes/adapter';
import { hermesDescriptor } from './hermes/descriptor';
import { mistralVibe } from './mistral-vibe/adapter';
import { mistralVibeDescriptor } from './mistral-vibe/descriptor';
import { atif } from './atif/adapter';
import { atifDescriptor } from './atif/descriptor';
import { generic } from './generic/adapter';
import { genericDescriptor } from './generic/descriptor';

/** One kind of agent: its description, and one adapter for each form in which it writes. */
interface Agent {
  readonly descriptor: AgentDescriptor;
  readonly adapters: readonly AgentAdapter[];
}

/** The only list of all agents that Unstuck understands. An agent's own format comes before the generic one. */
const agents: readonly Agent[] = [
  { descriptor: claudeCodeDescriptor, adapters: [claudeCode] },
  { descriptor: codexDescriptor, adapters: [codex, codexStream] },
  { descriptor: geminiDescriptor, adapters: [gemini, geminiDocument] },
  { descriptor: opencodeDescriptor, adapters: [opencode, opencodeExport, opencodeStream] },
  { descriptor: kiloCodeDescriptor, adapters: [kiloCode] },
  // Before Copilot CLI: its records are similar, and it recognises its own by their place.
  { descriptor: vscodeChatDescriptor, adapters: [vscodeChat] },
  { descriptor: copilotDescriptor, adapters: [copilot] },
  { descriptor: qwenDescriptor, adapters: [qwen] },
  { descriptor: piDescriptor, adapters: [pi] },
  { descriptor: openhandsDescriptor, adapters: [openhands, openhandsDocument] },
  { descriptor: sweAgentDescriptor, adapters: [sweAgent] },
  { descriptor: miniSweAgentDescriptor, adapters: [miniSweAgent, miniSweAgentLog] },
  { descriptor: aiderDescriptor, adapters: [aider] },
  { descriptor: clineDescriptor, adapters: [cline, clineConversation] },
  { descriptor: antigravityDescriptor, adapters: [antigravity] },
  { descriptor: kimiDescriptor, adapters: [kimi, kimiCode] },
  { descriptor: kiroDescriptor, adapters: [kiro] },
  // Before Crush: its tables have the same names, and it recognises its own by the name of the file.
  { descriptor: hermesDescriptor, adapters: [hermes] },
  { descriptor: crushDescriptor, adapters: [crush] },
  { descriptor: cursorDescriptor, adapters: [cursor] },
  { descriptor: droidDescriptor, adapters: [droid] },
  { descriptor: continueDescriptor, adapters: [continueCli] },
  { descriptor: grokBuildDescriptor, adapters: [grokBuild] },
  { descriptor: mistralVibeDescriptor, adapters: [mistralVibe] },
  { descriptor: atifDescriptor, adapters: [atif] },
  { descriptor: genericDescriptor, adapters: [generic] },
];

/** All adapters that read transcripts, in the order in which they are tried on a file. */
export const registry: readonly AgentAdapter[] = agents.flatMap(({ adapters }) => adapters);

export const descriptors: readonly AgentDescriptor[] = agents.map(({ descriptor }) => descriptor);

/** Returns undefined for an agent that is not known here: incidents of other versions may name one. */
export function descriptorOf(agent: AgentId): AgentDescriptor | undefined {
  return descriptors.find(({ id }) => id === agent);
}
