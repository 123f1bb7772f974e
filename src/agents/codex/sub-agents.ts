import { asArray, asRecord, asText, type JsonRecord, parseRecord } from '../shared/decode';

/** A thread that another one started as its sub-agent. `call`: the call that started it; absent: the sub-agent has ended. */
export interface Child {
  readonly thread: string;
  readonly call?: string;
}

const NOTICE = /^\s*<subagent_notification>\s*(\{[\s\S]*\})\s*<\/subagent_notification>/;

/**
 * Returns what an item says about a sub-agent: `CollabAgentToolCall` of the first form of these tools (`multi_agent_v1`, which does not report the
 * end), `SubAgentActivity` of the second. Undefined for all others. Source: threads of 0.169.0 and 0.171.0.
 */
export function childOf(item: JsonRecord): Child | undefined {
  const call = asText(item['id']);
  if (call === undefined) return undefined;
  if (item['type'] === 'SubAgentActivity') {
    const thread = asText(item['agent_thread_id']);
    if (thread === undefined) return undefined;
    if (item['kind'] === 'completed') return { thread };
    return item['kind'] === 'started' ? { thread, call } : undefined;
  }
  if (item['type'] !== 'CollabAgentToolCall' || item['tool'] !== 'spawn_agent') return undefined;
  const thread = asText(asArray(item['receiver_thread_ids'])?.[0]);
  return thread === undefined ? undefined : { thread, call };
}

/**
 * Reads what Codex writes into a thread's history when its sub-agent has ended, in the first form: the sub-agent's thread and its last words. Codex
 * then sends nothing to the model: an idle agent reads it with the person's next prompt.
 */
export function noticeOf(text: string): { readonly thread: string; readonly said?: string } | undefined {
  const notice = parseRecord(NOTICE.exec(text)?.[1] ?? '');
  const thread = asText(notice?.['agent_path']);
  if (thread === undefined) return undefined;
  const [said] = Object.values(asRecord(notice?.['status']) ?? {});
  return typeof said === 'string' ? { thread, said } : { thread };
}
