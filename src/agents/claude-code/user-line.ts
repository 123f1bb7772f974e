import { asArray, asRecord, asText, isOwnMessage, type JsonRecord } from '../shared/decode';
import { type Chain, type ClaudeRecord, endTurn, flushHeld, goOn, type Teller } from './chain';
import { commandText, promptKind, promptText } from './prompt';
import { readToolResult } from './tool-result';

/** A `user` line: results of calls, a prompt, or one of the many things that the CLI writes in the user's name. */
export function userLine(teller: Teller, chain: Chain, record: ClaudeRecord): void {
  const message = asRecord(record.row['message']);
  if (!message) return teller.problem(record, 'user line without a message');
  const content = message['content'];
  const results = asArray(content)?.filter((block) => asRecord(block)?.['type'] === 'tool_result') ?? [];
  if (results.length > 0) {
    flushHeld(teller, chain);
    for (const block of results) toolResult(teller, chain, record, asRecord(block) ?? {});
    return;
  }
  const text = promptText(content);
  if (record.row['isCompactSummary'] === true) return summary(teller, chain, record, text);
  prompt(teller, chain, record, text);
}

function prompt(teller: Teller, chain: Chain, record: ClaudeRecord, text: string): void {
  const kind = promptKind(record.row, text);
  switch (kind) {
    case 'command_output':
      // The CLI did it by itself: no turn, and nothing that the person said to the agent.
      chain.command = null;
      teller.tell(chain, record, { type: 'other', name: 'local command' });
      return;
    case 'note':
      teller.tell(chain, record, { type: 'other', name: 'note' });
      return;
    case 'interrupted':
      flushHeld(teller, chain);
      if (chain.turn === 'none') chain.turn = 'open';
      endTurn(teller, chain, record, 'interrupted');
      return;
    case 'command':
      flushHeld(teller, chain);
      chain.command = { record, body: { type: 'user', text: commandText(text), automated: chain.sub } };
      return;
    case 'typed':
    case 'automated':
      flushHeld(teller, chain);
      teller.marks(chain, record, text);
      teller.tell(chain, record, { type: 'user', text, automated: kind === 'automated' || chain.sub });
      chain.turn = 'open';
      chain.prompted ||= kind === 'typed';
  }
}

/** A prompt that was typed or sent while the agent worked, at the moment when the agent was given it. */
export function queuedPrompt(teller: Teller, chain: Chain, record: ClaudeRecord, text: string, typed: boolean): void {
  if (text.trim() === '') return;
  teller.marks(chain, record, text);
  teller.tell(chain, record, { type: 'user', text, automated: !typed || chain.sub || isOwnMessage(text) });
  chain.turn = 'open';
}

/** The summary belongs to the boundary before it; versions without a boundary line have the summary alone. */
function summary(teller: Teller, chain: Chain, record: ClaudeRecord, text: string): void {
  const held = chain.compaction;
  chain.compaction = null;
  if (held?.body.type === 'compaction') teller.tell(chain, held.record, { ...held.body, summary: text });
  else teller.tell(chain, record, { type: 'compaction', summary: text });
}

function toolResult(teller: Teller, chain: Chain, record: ClaudeRecord, block: JsonRecord): void {
  const id = asText(block['tool_use_id']) ?? chain.nameless.shift();
  if (id === undefined) return teller.problem(record, 'result without the id of a call');
  if (chain.answered.has(id)) return teller.tell(chain, record, { type: 'other', name: 'second result' });
  if (!chain.calls.has(id)) {
    if (chain.early.set(id, { record, block })) teller.problem(record, 'result of a call that the file does not have');
    return;
  }
  tellResult(teller, chain, record, block, id);
}

export function tellResult(teller: Teller, chain: Chain, record: ClaudeRecord, block: JsonRecord, id: string): void {
  const call = chain.calls.get(id);
  chain.calls.delete(id);
  chain.answered.set(id, true);
  goOn(teller, chain, record);
  const result = readToolResult(record.row, block);
  // A hook of ours that refused the call speaks through the result.
  if (result.denied === 'hook') teller.marks(chain, record, result.output);
  teller.tell(chain, record, { type: 'tool_result', id, ...result });
  if (!call) return;
  if (!result.isError) {
    const items = chain.plan.called(call.name, call.input, asRecord(record.row['toolUseResult']));
    if (items) teller.tell(chain, record, { type: 'plan', items });
  }
  if (call.name === 'Task' || call.name === 'Agent') teller.side.ended(id, record);
}
