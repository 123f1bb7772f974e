import type { ErrorKind } from '../../core/model';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  describeCall,
  headOf,
  type JsonRecord,
  requestErrorKind,
  textOf,
  type ToolTable,
} from '../shared/decode';
import { isKnownBlock, isServerResult } from './blocks';
import { type Chain, type ClaudeRecord, endTurn, flushHeld, continueTurn, type ChainEmitter } from './chain';
import { emitResult } from './user-line';

/** Roles of Claude Code's tools for which the common one does not fit. */
const TOOLS: ToolTable = {
  exitplanmode: 'ask',
  enterplanmode: 'plan',
  killshell: 'other',
  killbash: 'other',
  taskstop: 'other',
  slashcommand: 'other',
  sendmessage: 'delegate',
  workflow: 'delegate',
};

/** Longest non-text result of the service, in characters. */
const SERVER_RESULT_LENGTH = 20_000;
/** Longest question or plan, in characters. */
const QUESTION_LENGTH = 8_000;

/** Reads an `assistant` line: one block of an answer (older versions: several), or an error that the CLI wrote in the model's name. */
export function assistantLine(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  const { row } = record;
  const message = asRecord(row['message']);
  if (!message) return emitter.problem(record, 'assistant line without a message');
  if (row['isApiErrorMessage'] === true) return apiError(emitter, chain, record, textOf(message['content']));
  const model = asText(message['model']);
  if (model === '<synthetic>') return emitter.emit(chain, record, { type: 'other', name: 'filler' });

  flushHeld(emitter, chain);
  const id = answerOf(chain, row, message);
  continueTurn(emitter, chain, record, id);
  if (model !== undefined && model !== chain.facts.model) {
    chain.facts.model = model;
    emitter.emit(chain, record, { type: 'session_info', model });
  }
  const content = message['content'];
  const continues = message['stop_reason'] === 'tool_use' || message['stop_reason'] === 'pause_turn';
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (asArray(content) ?? []);
  for (const [index, value] of blocks.entries()) {
    const block = asRecord(value);
    if (!block) continue;
    const type = block['type'];
    if (type === 'text') {
      const text = asText(block['text']);
      if (text !== undefined && text.trim() !== '')
        emitter.emit(chain, record, { type: 'assistant', text, chunk: false, ...(continues && { isLast: false }) });
    } else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
      toolUse(emitter, chain, record, block, id, `${asText(row['uuid']) ?? record.source.offset}#${index}`);
    } else if (isServerResult(type)) {
      serverResult(emitter, chain, record, block);
    } else if (!isKnownBlock(type)) {
      emitter.unread(record, block);
    }
  }
  usage(emitter, chain, record, message, id, model);
  stopped(emitter, chain, record, message, blocks, id);
}

/**
 * Returns a name for the model's answer that a line belongs to: the id of its message, with a number if another request was answered with the same id.
 * An overloaded service has done so for several answers in a row (reported in June 2026).
 */
function answerOf(chain: Chain, row: JsonRecord, message: JsonRecord): string | undefined {
  const id = asText(message['id']);
  const request = asText(row['requestId']);
  if (id === undefined || request === undefined) return id;
  const { answer } = chain;
  if (answer?.id !== id) chain.answer = { id, request, nth: 1 };
  else if (answer.request !== request) chain.answer = { id, request, nth: answer.nth + 1 };
  const nth = chain.answer?.nth ?? 1;
  return nth === 1 ? id : `${id}#${nth}`;
}

function toolUse(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  block: JsonRecord,
  message: string | undefined,
  ownId: string,
): void {
  const id = asText(block['id']) ?? ownId;
  const name = asText(block['name']) ?? 'unknown';
  if (chain.calls.has(id, record.at)) return emitter.emit(chain, record, { type: 'other', name: 'repeated call' });
  if (block['id'] === undefined) chain.nameless.push(id);
  const input = asRecord(block['input']);
  const unparsed = asRecord(input?.['__unparsedToolInput']);
  const raw = asText(unparsed?.['raw']) ?? asText(block['input']);
  const args: unknown = raw ?? input ?? {};
  const { kind, subject, command, target } = describeCall(name, unparsed ? {} : args, {
    table: TOOLS,
    cwd: chain.facts.cwd,
  });
  chain.calls.start(id, { name, input }, record.at);
  emitter.emit(chain, record, {
    type: 'tool_call',
    id,
    name,
    args,
    ...(raw !== undefined && { malformed: 'the arguments are not valid JSON' }),
    ...(message !== undefined && { batch: message }),
    kind,
    subject,
    ...(command !== undefined && { command }),
    ...(target !== undefined && { target }),
  });
  if (name === 'Task' || name === 'Agent') emitter.side.started(id, input);
  if (name === 'AskUserQuestion')
    waiting(emitter, chain, record, 'input', asText(at(asArray(input?.['questions'])?.[0], 'question')));
  if (name === 'ExitPlanMode') waiting(emitter, chain, record, 'plan', asText(input?.['plan']));
  const early = chain.calls.heldFor(id);
  if (early) emitResult(emitter, chain, early.record, early.block, id);
}

/** Reports the answer of a service tool, which runs within the model's own request. */
function serverResult(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord, block: JsonRecord): void {
  const id = asText(block['tool_use_id']);
  if (id === undefined || !chain.calls.finish(id, record.at)) return;
  const content = block['content'];
  const isText = (asArray(content) ?? [content]).every((one) => typeof one === 'string' || at(one, 'type') === 'text');
  const isError = block['is_error'] === true || asText(at(content, 'type'))?.endsWith('_error') === true;
  const output = isText ? textOf(content) : headOf(JSON.stringify(content), SERVER_RESULT_LENGTH);
  emitter.emit(chain, record, { type: 'tool_result', id, output, isError });
}

function waiting(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  what: 'input' | 'plan',
  question: string | undefined,
): void {
  emitter.emit(chain, record, {
    type: 'waiting',
    for: what,
    ...(question !== undefined && { question: headOf(question, QUESTION_LENGTH) }),
  });
}

/** Reports each answer's usage once, although every block repeats its counts; if a later block completes them, reports the difference. */
function usage(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  message: JsonRecord,
  id: string | undefined,
  model: string | undefined,
): void {
  const counts = asRecord(message['usage']);
  if (!counts) return;
  const output = asNumber(counts['output_tokens']) ?? 0;
  const before = id === undefined ? undefined : chain.counted.get(id);
  if (before !== undefined && id !== undefined) {
    if (output <= before) return;
    chain.counted.set(id, output);
    return emitter.emit(chain, record, { type: 'usage', outputTokens: output - before });
  }
  const context =
    (asNumber(counts['input_tokens']) ?? 0) +
    (asNumber(counts['cache_read_input_tokens']) ?? 0) +
    (asNumber(counts['cache_creation_input_tokens']) ?? 0);
  // Some gateways write zeros first and the counts with a later block of the same answer.
  if (context === 0 && output === 0) return;
  if (id !== undefined) chain.counted.set(id, output);
  emitter.emit(chain, record, {
    type: 'usage',
    ...(context > 0 && {
      contextTokens: context,
      inputTokens: context,
      contextWindow: chain.window.answered(context, model),
    }),
    outputTokens: output,
  });
}

function stopped(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  message: JsonRecord,
  blocks: readonly unknown[],
  id: string | undefined,
): void {
  const reason = message['stop_reason'];
  const last = asText(asRecord(blocks.at(-1))?.['type']);
  if (reason === 'max_tokens' && (id === undefined || id !== chain.cutOff)) {
    chain.cutOff = id;
    emitter.emit(chain, record, {
      type: 'error',
      kind: 'validation',
      message: 'The answer was cut off at the limit of output tokens.',
    });
  }
  if (reason !== 'end_turn' && reason !== 'refusal' && reason !== 'stop_sequence') return;
  // Reasoning is written as a separate line before the text of the same answer.
  if (last === 'thinking' || last === 'redacted_thinking' || last === 'tool_use') return;
  endTurn(emitter, chain, record, 'done', id);
}

/** Reports that the request failed for good: the turn is over. */
function apiError(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord, text: string): void {
  flushHeld(emitter, chain);
  const status = asNumber(record.row['apiErrorStatus']);
  emitter.emit(chain, record, {
    type: 'error',
    kind: errorKind(`${asText(record.row['error']) ?? ''} ${text}`, status),
    message: text,
  });
  if (chain.turn === 'none') chain.turn = 'open';
  endTurn(emitter, chain, record, 'error');
}

function errorKind(text: string, status: number | undefined): ErrorKind {
  return /output token maximum/.test(text) ? 'validation' : requestErrorKind(text, status);
}
