import { asArray, asRecord, asText, at, parseRecord } from '../shared/decode';
import { callId } from './log-facts';

/** `unknown`: the transcript does not contain the call yet. */
export type WhoseCall = 'own' | 'sub_agent' | 'unknown';

/**
 * Returns whether the call for which a hook runs is the agent's own or a sub-agent's. A sub-agent's call carries its parent's session and no name of
 * its own, but the transcript, which VS Code writes out before each hook, shows it after a call of `runSubagent` that has not ended.
 *
 * @param tail the last lines of the transcript; the first may be cut
 */
export function whoseCall(tail: string, call: string): WhoseCall {
  const wanted = callId(call);
  /** Running sub-agents, each with the message that started it. */
  const running = new Map<string, string>();
  let asked: WhoseCall = 'unknown';
  for (const line of tail.split('\n')) {
    if (!line.includes('"assistant.message"') && !line.includes('"tool.execution_complete"')) continue;
    const record = parseRecord(line);
    const data = asRecord(record?.['data']);
    if (record?.['type'] === 'tool.execution_complete') running.delete(callId(asText(data?.['toolCallId']) ?? ''));
    if (record?.['type'] !== 'assistant.message') continue;
    const message = asText(data?.['messageId']) ?? line.slice(0, 200);
    for (const request of asArray(data?.['toolRequests']) ?? []) {
      const id = callId(asText(at(request, 'toolCallId')) ?? '');
      if (id === wanted) asked = [...running.values()].some((of) => of !== message) ? 'sub_agent' : 'own';
      if (at(request, 'name') === 'runSubagent') running.set(id, message);
    }
  }
  return asked === 'unknown' && running.size === 0 ? 'own' : asked;
}
