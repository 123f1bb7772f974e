import type { AgentId } from '../core/model';
import type { Decoder, DecoderContext } from './decoder';
import { createDecoder as claudeCode } from './claude-code/decoder';
import { createCodexDecoder } from './codex/decoder';
import { createStreamDecoder as codexStream } from './codex/stream';
import { createLineDecoder as gemini, createDocumentDecoder as geminiDocument } from './gemini/decoder';
import { createDecoder as opencode } from './opencode/decoder';
import { createExportDecoder, createStreamDecoder as opencodeStream } from './opencode/printed';
import { createDecoder as vscodeChat } from './vscode-chat/decoder';
import { createDecoder as copilot } from './copilot/decoder';
import { createDecoder as qwen } from './qwen/decoder';
import { createDecoder as pi } from './pi/decoder';
import { createLineDecoder as openhands, createDocumentDecoder as openhandsDocument } from './openhands/decoder';
import { createDecoder as sweAgent } from './swe-agent/decoder';
import { createDecoder as miniSweAgent, createLogDecoder } from './mini-swe-agent/decoder';
import { createDecoder as aider } from './aider/decoder';
import { createDecoder as clineConversation } from './cline/decoder';
import { createViewDecoder as cline } from './cline/task';
import { createDecoder as antigravity } from './antigravity/decoder';
import { createWireDecoder } from './kimi/wire';
import { createCodeDecoder } from './kimi/code';
import { createDecoder as kiro } from './kiro/decoder';
import { createDecoder as crush } from './crush/decoder';
import { createDecoder as cursor } from './cursor/decoder';
import { createDecoder as droid } from './droid/decoder';
import { createDecoder as continueCli } from './continue/decoder';
import { createDecoder as grokBuild } from './grok-build/decoder';
import { createDecoder as hermes } from './hermes/decoder';
import { createDecoder as mistralVibe } from './mistral-vibe/decoder';
import { createDecoder as atif } from './atif/decoder';
import { createDecoder as generic } from './generic/decoder';

/**
 * All decoders. Kept apart from the registry: this file is loaded with the first transcript (engine/reading.ts), and a window without transcripts
 * needs no decoder.
 */
const decoders = {
  claudeCode,
  codex: createCodexDecoder,
  codexStream,
  gemini,
  geminiDocument,
  opencode,
  opencodeExport: createExportDecoder,
  opencodeStream,
  vscodeChat,
  copilot,
  qwen,
  pi,
  openhands,
  openhandsDocument,
  sweAgent,
  miniSweAgent,
  miniSweAgentLog: createLogDecoder,
  aider,
  clineConversation,
  cline,
  antigravity,
  kimi: createWireDecoder,
  kimiCode: createCodeDecoder,
  kiro,
  crush,
  cursor,
  droid,
  continueCli,
  grokBuild,
  hermes,
  mistralVibe,
  atif,
  generic,
} satisfies Readonly<Record<string, (context: DecoderContext, agent: AgentId) => Decoder>>;

export type DecoderName = keyof typeof decoders;

/** Creates a decoder for one reading of a transcript from its start. */
export function createDecoder(
  { decoder, id }: { readonly decoder: DecoderName; readonly id: AgentId },
  context: DecoderContext,
): Decoder {
  const create: (context: DecoderContext, agent: AgentId) => Decoder = decoders[decoder];
  return create(context, id);
}
