import { asArray, asRecord, asText, copied, isOwnMessage, type JsonRecord } from '../shared/decode';
import { isKnownBlock } from './blocks';
import { type Chain, type ClaudeRecord, endTurn, flushHeld, continueTurn, type ChainEmitter } from './chain';
import { commandText, isHarnessMessage, isScheduled, promptKind, promptText } from './prompt';
import { readToolResult } from './tool-result';

/** Reads a `user` line: results of calls, a prompt, or one of the many things that the CLI writes in the user's name. */
export function userLine(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  const message = asRecord(record.row['message']);
  if (!message) return emitter.problem(record, 'user line without a message');
  const content = message['content'];
  const results = asArray(content)?.filter((block) => asRecord(block)?.['type'] === 'tool_result') ?? [];
  if (results.length > 0) {
    flushHeld(emitter, chain);
    for (const block of results) toolResult(emitter, chain, record, asRecord(block) ?? {});
    return;
  }
  const unknown = asArray(content)
    ?.map(asRecord)
    .find((block) => block && !isKnownBlock(block['type']));
  if (unknown) return emitter.unread(record, unknown);
  const text = promptText(content);
  if (record.row['isCompactSummary'] === true) return summary(emitter, chain, record, text);
  prompt(emitter, chain, record, text);
}

function prompt(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord, text: string): void {
  const kind = promptKind(record.row, text);
  switch (kind) {
    case 'command_output':
      // The CLI did it on its own: no turn, and nothing that the person said to the agent.
      localCommand(emitter, chain, record);
      emitter.emit(chain, record, { type: 'other', name: 'local command' });
      return;
    case 'note':
      emitter.emit(chain, record, { type: 'other', name: 'note' });
      return;
    case 'interrupted':
      flushHeld(emitter, chain);
      if (chain.turn === 'none') chain.turn = 'open';
      endTurn(emitter, chain, record, 'interrupted');
      return;
    case 'command':
      // The agent did not answer the previous command.
      if (chain.command) emitter.emit(chain, chain.command.record, { type: 'other', name: 'local command' });
      chain.command = null;
      flushHeld(emitter, chain);
      chain.command = { record, body: { type: 'user', text: commandText(text), automated: chain.sub } };
      return;
    case 'typed':
    case 'automated':
      flushHeld(emitter, chain);
      emitter.marks(chain, record, text);
      emitter.emit(chain, record, {
        type: 'user',
        text,
        automated: kind === 'automated' || chain.sub,
        ...hookOf(text),
        ...(isScheduled(record.row) && { scheduled: true }),
      });
      chain.turn = 'open';
      chain.prompted ||= kind === 'typed';
  }
}

/** Default of `CLAUDE_CODE_STOP_HOOK_BLOCK_CAP`: measured with 2.1.329. */
const BLOCK_CAP = 9;
/** The command of the hook that sent the agent back. */
const HOOK = /^(?:Sub[aA]gent)?Stop hook feedback:\n\[([^\n]{1,1000}?)\]: /;

function hookOf(text: string) {
  const name = HOOK.exec(text)?.[1];
  return name === undefined ? {} : { hook: { name: copied(name), cap: BLOCK_CAP } };
}

/**
 * Handles a command that the CLI answered itself, which it does when it is the person's move. In versions that write no turn ends, nothing else shows
 * that the turn is over, or, after `/exit`, the session.
 */
export function localCommand(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  const { command } = chain;
  chain.command = null;
  const isExit = command?.body.type === 'user' && /^\/(?:exit|quit)\b/.test(command.body.text);
  const runs = !chain.calls.running.next().done;
  if (chain.turn === 'open' && (isExit || !runs)) endTurn(emitter, chain, record, runs ? 'interrupted' : 'done');
  if (isExit && !chain.ended)
    emitter.emit(chain, record, { type: 'session_end', reason: runs ? 'interrupted' : 'clean' });
}

/** Reports a prompt that was typed or sent while the agent worked, at the moment when the agent received it. */
export function queuedPrompt(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  text: string,
  typed: boolean,
): void {
  if (text.trim() === '') return;
  emitter.marks(chain, record, text);
  emitter.emit(chain, record, {
    type: 'user',
    text,
    automated: !typed || chain.sub || isHarnessMessage(text) || isOwnMessage(text),
  });
  chain.turn = 'open';
}

/** Handles a summary, which belongs to the boundary before it; versions without a boundary line have only the summary. */
function summary(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord, text: string): void {
  const held = chain.compaction;
  chain.compaction = null;
  if (held?.body.type === 'compaction') emitter.emit(chain, held.record, { ...held.body, summary: text });
  else emitter.emit(chain, record, { type: 'compaction', summary: text });
}

function toolResult(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord, block: JsonRecord): void {
  const id = asText(block['tool_use_id']) ?? chain.nameless.shift();
  if (id === undefined) return emitter.problem(record, 'result without the id of a call');
  if (chain.calls.isDone(id)) return emitter.emit(chain, record, { type: 'other', name: 'second result' });
  if (chain.calls.get(id) === undefined) {
    if (chain.calls.hold(id, { record, block }))
      emitter.problem(record, 'result of a call that the file does not have');
    return;
  }
  emitResult(emitter, chain, record, block, id);
}

export function emitResult(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  block: JsonRecord,
  id: string,
): void {
  const call = chain.calls.finish(id, record.at);
  continueTurn(emitter, chain, record);
  const result = readToolResult(record.row, block);
  // An Unstuck hook that refused the call speaks through the result.
  if (result.denied === 'hook') emitter.marks(chain, record, result.output);
  emitter.emit(chain, record, { type: 'tool_result', id, ...result });
  if (!call) return;
  if (!result.isError) {
    const items = chain.plan.called(call.name, call.input, asRecord(record.row['toolUseResult']));
    if (items) emitter.emit(chain, record, { type: 'plan', items });
  }
  if (call.name === 'Task' || call.name === 'Agent') emitter.side.ended(id, record);
}
