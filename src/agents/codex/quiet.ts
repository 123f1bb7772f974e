/**
 * Records that say nothing new (encrypted reasoning, repeated texts, state): a third of the bytes of real threads. Their first bytes identify them,
 * so they are not parsed.
 */
const QUIET =
  /^\{"timestamp":"([^"\\]{20,40})",(?:"ordinal":\d{1,12},)?"type":"(?:(token_usage_record|world_state|inter_agent_communication_metadata)","payload":\{|response_item","payload":\{"type":"(reasoning)"|event_msg","payload":\{"type":"(agent_message|agent_reasoning(?:_raw_content|_section_break)?|item_completed)")/;
const QUIET_ITEM = /"item":\{"type":"(AgentMessage|Reasoning|ContextCompaction|HookPrompt)"/;
const HEAD = 400;

/** Returns the name and time of such a record, undefined for all others. A line that was cut off is none: it is parsed, and found broken. */
export function quietRecord(text: string): { readonly name: string; readonly time: string } | undefined {
  const found = QUIET.exec(text);
  if (!found || text.charCodeAt(text.length - 1) !== 0x7d) return undefined;
  const [, time = '', state, item, message] = found;
  const kind = state ?? item ?? message;
  const name = kind === 'item_completed' ? QUIET_ITEM.exec(text.length > HEAD ? text.slice(0, HEAD) : text)?.[1] : kind;
  return name === undefined ? undefined : { name, time };
}
