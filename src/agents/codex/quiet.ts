/**
 * Records that say nothing new (encrypted reasoning, repeated texts, state): a third of the bytes of real threads. Their first bytes
 * identify them, so they are not parsed.
 */
const ENVELOPE =
  /^\{"timestamp":"([^"\\]{20,40})",(?:"ordinal":\d{1,12},)?"type":"(\w{1,40})","payload":\{(?:"type":"(\w{1,40})")?/;
const ITEM = /"item":\{"type":"(\w{1,40})"/;
const HEAD = 400;

const QUIET = new Set([
  'token_usage_record',
  'world_state',
  'inter_agent_communication_metadata',
  'response_item reasoning',
  'event_msg agent_message',
  'event_msg agent_reasoning',
  'event_msg agent_reasoning_raw_content',
  'event_msg agent_reasoning_section_break',
  'item AgentMessage',
  'item Reasoning',
  'item ContextCompaction',
  'item HookPrompt',
]);

/** Name and time of such a record, undefined for all others. A line that was cut off is none: it is parsed, and found broken. */
export function quietRecord(text: string): { readonly name: string; readonly time: string } | undefined {
  const envelope = ENVELOPE.exec(text);
  if (!envelope || text.charCodeAt(text.length - 1) !== 0x7d) return undefined;
  const [, time = '', type = '', kind = ''] = envelope;
  if (QUIET.has(type)) return { name: type, time };
  if (kind === 'item_completed') {
    const item = ITEM.exec(text.length > HEAD ? text.slice(0, HEAD) : text)?.[1];
    return item !== undefined && QUIET.has(`item ${item}`) ? { name: item, time } : undefined;
  }
  return QUIET.has(`${type} ${kind}`) ? { name: kind, time } : undefined;
}
