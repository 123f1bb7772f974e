import {
  asNumber,
  asRecord,
  asText,
  at,
  Recent,
  headOf,
  isOwnMessage,
  type JsonRecord,
  malformed,
  textOf,
} from '../shared/decode';
import { type RecordEmitter, type ToolResult, usageOf } from '../shared/conversation';
import type { Calls } from './calls';

/** Arguments that control the runtime, not the tool. */
const NOISE = new Set([
  'thought',
  'hidden',
  'blocking',
  'confirmation_state',
  'security_risk',
  'is_static',
  'impl_source',
  'translated_ipython_code',
  'keep_prompt',
  'image_urls',
  'wait_for_response',
  'include_extra',
  'kernel_init_code',
  'final_thought',
]);

/** Decodes one event of OpenHands from before its SDK: an action with arguments, or an observation that names its cause. */
export function createV0(emitter: RecordEmitter, calls: Calls): (event: JsonRecord) => void {
  const counted = new Recent<string, true>(500);

  const usage = (event: JsonRecord): void => {
    const response = asRecord(at(event, 'tool_call_metadata', 'model_response'));
    const id = asText(response?.['id']);
    const counts = asRecord(response?.['usage']);
    if (id === undefined || !counts || counted.has(id)) return;
    counted.set(id, true);
    const model = asText(response?.['model']);
    if (model !== undefined) emitter.emit({ type: 'session_info', model });
    const spent = usageOf({
      input: asNumber(counts['prompt_tokens']) ?? 0,
      output: asNumber(counts['completion_tokens']) ?? 0,
      contextWindow: asNumber(at(event, 'llm_metrics', 'accumulated_token_usage', 'context_window')),
    });
    if (spent) emitter.emit(spent);
  };

  const action = (event: JsonRecord, kind: string): void => {
    const args = asRecord(event['args']) ?? {};
    const fromUser = event['source'] === 'user';
    switch (kind) {
      case 'message': {
        const text = asText(args['content']) ?? asText(event['message']) ?? '';
        if (text === '') return emitter.emit({ type: 'other', name: kind });
        if (fromUser) return emitter.emit({ type: 'user', text, automated: isOwnMessage(text) });
        emitter.emit({ type: 'assistant', text, chunk: false });
        if (args['wait_for_response'] === true) emitter.emit({ type: 'turn_end', reason: 'waiting' });
        return usage(event);
      }
      case 'finish': {
        const claim = asText(args['final_thought']) ?? asText(args['thought']) ?? asText(event['message']) ?? 'finish';
        usage(event);
        emitter.emit({ type: 'completion', claim });
        return emitter.emit({ type: 'turn_end', reason: 'done' });
      }
      case 'reject':
        return emitter.emit({ type: 'turn_end', reason: 'error' });
      case 'change_agent_state':
        return emitState(emitter, asText(args['agent_state']) ?? '');
      case 'condensation': {
        const summary = asText(args['summary']);
        return emitter.emit({ type: 'compaction', trigger: 'auto', ...(summary !== undefined && { summary }) });
      }
      case 'system':
      case 'null':
      case 'recall':
      case 'condensation_request':
      case 'start':
        return emitter.emit({ type: 'other', name: kind });
    }
    const thought = asText(args['thought']);
    if (thought !== undefined && thought.trim() !== '')
      emitter.emit({ type: 'assistant', text: thought, chunk: false });
    const id = asText(at(event, 'tool_call_metadata', 'tool_call_id'));
    const own = `event ${asNumber(event['id']) ?? emitter.place.source.offset}`;
    const name = asText(at(event, 'tool_call_metadata', 'function_name')) ?? kind;
    const batch = asText(at(event, 'tool_call_metadata', 'model_response', 'id'));
    if (fromUser) return emitter.emit({ type: 'other', name: kind });
    calls.call(
      id === undefined ? [own] : [id, own],
      kind === 'call_tool_mcp' ? (asText(args['name']) ?? name) : name,
      cleaned(args),
      batch,
    );
    usage(event);
  };

  const observation = (event: JsonRecord, kind: string): void => {
    if (kind === 'agent_state_changed') return emitState(emitter, asText(at(event, 'extras', 'agent_state')) ?? '');
    const content = textOf(event['content'] ?? event['message']);
    if (/AgentStuckInLoopError|agent got stuck in a loop/i.test(headOf(content, 400))) {
      return emitter.emit({ type: 'vendor_loop', message: headOf(content, 600) });
    }
    const cause = asNumber(event['cause']);
    const id = asText(at(event, 'tool_call_metadata', 'tool_call_id'));
    const keys = [...(id === undefined ? [] : [id]), ...(cause === undefined ? [] : [`event ${cause}`])];
    if (keys.length === 0 || kind === 'null' || kind === 'recall') {
      if (kind === 'error') return emitter.emit({ type: 'error', kind: 'other', message: content });
      return emitter.emit({ type: 'other', name: kind });
    }
    calls.result(keys, resultOf(event, kind, content));
  };

  return (event) => {
    const kind = asText(event['action']);
    if (kind !== undefined) return action(event, kind);
    const seen = asText(event['observation']);
    if (seen !== undefined) return observation(event, seen);
    emitter.problem('an event that is neither action nor observation');
  };
}

function resultOf(event: JsonRecord, kind: string, content: string): ToolResult {
  const exitCode = asNumber(at(event, 'extras', 'metadata', 'exit_code')) ?? asNumber(at(event, 'extras', 'exit_code'));
  const failed = kind === 'error' || event['success'] === false || /^ERROR:\s/.test(content);
  const unknown = /^(?:Tool|Function) (\S{1,200}) (?:is )?not (?:found|registered)/i.exec(content)?.[1];
  const missing = /^(?:ERROR:\s+)?Missing required argument "?(\w{1,100})"? in/i.exec(content)?.[1];
  const why =
    unknown !== undefined
      ? malformed('unknown_tool', content, undefined, unknown)
      : missing !== undefined
        ? malformed('invalid_arguments', content, missing)
        : /^(?:Failed to parse|Invalid JSON in) /i.test(content) && kind === 'error'
          ? malformed('unparsable', content)
          : {};
  // -1: the command is still running, and the next call requests more of its output.
  const running = exitCode === -1;
  return {
    output: content,
    isError: failed || kind === 'user_rejected' || (exitCode !== undefined && exitCode !== 0 && !running),
    ...(exitCode !== undefined && !running && { exitCode }),
    ...(running && { running: true }),
    ...(kind === 'user_rejected' && { denied: 'user' as const }),
    ...why,
  };
}

/** Emits a state of the agent's controller, under its name in V0 or in the SDK. */
export function emitState(emitter: RecordEmitter, state: string): void {
  switch (state) {
    case 'running':
      return emitter.emit({ type: 'turn_start' });
    case 'awaiting_user_input':
    case 'idle':
      return emitter.emit({ type: 'turn_end', reason: 'done' });
    case 'awaiting_user_confirmation':
    case 'waiting_for_confirmation':
      return emitter.emit({ type: 'waiting', for: 'permission' });
    case 'finished':
      return emitter.emit({ type: 'turn_end', reason: 'done' });
    case 'paused':
    case 'stopped':
      return emitter.emit({ type: 'turn_end', reason: 'interrupted' });
    case 'error':
    case 'rejected':
      return emitter.emit({ type: 'turn_end', reason: 'error' });
    case 'rate_limited':
      return emitter.emit({ type: 'error', kind: 'rate_limit', message: 'rate limited' });
    case 'stuck':
      return emitter.emit({ type: 'vendor_loop', message: 'The agent was found stuck.' });
    default:
      return emitter.emit({ type: 'other', name: state || 'state' });
  }
}

function cleaned(args: JsonRecord): JsonRecord {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (value === null || value === '' || NOISE.has(name)) continue;
    kept[name] = value;
  }
  return kept;
}
