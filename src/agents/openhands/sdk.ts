import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  cutTags,
  isOwnMessage,
  type JsonRecord,
  malformed,
  parseJson,
  requestErrorKind,
  textOf,
} from '../shared/decode';
import type { RecordEmitter } from '../shared/conversation';
import type { Calls } from './calls';
import { emitState } from './v0';

/** Arguments that describe the call without changing what it does. */
const NOISE = new Set(['kind', 'security_risk', 'summary']);
const VALIDATION =
  /^(?:Error validating (?:args|arguments)|Tool '?[^'\n]{1,200}'? not found|.{0,200}validation error)/i;

/** Decodes one event of the OpenHands SDK (V1); each has a `kind`. */
export function createSdk(emitter: RecordEmitter, calls: Calls): (event: JsonRecord) => void {
  let input = 0;
  let output = 0;
  let spent = 0;
  let model: string | undefined;

  const stats = (value: unknown): void => {
    const metrics =
      asRecord(at(value, 'usage_to_metrics', 'default')) ?? asRecord(at(value, 'usage_to_metrics', 'agent'));
    const counts = asRecord(metrics?.['accumulated_token_usage']);
    if (!counts) return emitter.emit({ type: 'other', name: 'stats' });
    const named = asText(metrics?.['model_name']);
    if (named !== undefined && named !== model) {
      model = named;
      emitter.emit({ type: 'session_info', model: named });
    }
    const nextInput = asNumber(counts['prompt_tokens']) ?? input;
    const nextOutput = asNumber(counts['completion_tokens']) ?? output;
    const cost = asNumber(metrics?.['accumulated_cost']) ?? spent;
    if (nextInput <= input && nextOutput <= output) return emitter.emit({ type: 'other', name: 'stats' });
    const context = asNumber(counts['per_turn_token']);
    const window = asNumber(counts['context_window']);
    emitter.emit({
      type: 'usage',
      ...(context !== undefined && context > 0 && { contextTokens: context }),
      ...(window !== undefined && window > 0 && { contextWindow: window }),
      inputTokens: Math.max(0, nextInput - input),
      outputTokens: Math.max(0, nextOutput - output),
      ...(cost > spent && { cost: cost - spent }),
    });
    input = nextInput;
    output = nextOutput;
    spent = cost;
  };

  const action = (event: JsonRecord): void => {
    const thought = cutTags(textOf(event['thought']), '<think>', '</think>', { blanksAfter: true }).rest.trim();
    if (thought !== '') emitter.emit({ type: 'assistant', text: thought, chunk: false });
    const own = asText(event['id']) ?? `event ${emitter.place.source.offset}`;
    const id = asText(event['tool_call_id']) ?? own;
    const name = asText(event['tool_name']) ?? asText(at(event, 'tool_call', 'name')) ?? 'unknown';
    const args = argsOf(event);
    if (name === 'finish') {
      emitter.emit({ type: 'completion', claim: asText(at(args, 'message')) ?? 'finish' });
      return emitter.emit({ type: 'turn_end', reason: 'done' });
    }
    calls.call([id, own], name, args, asText(event['llm_response_id']));
  };

  const keysOf = (event: JsonRecord): readonly string[] =>
    [asText(event['tool_call_id']), asText(event['action_id'])].filter((key): key is string => key !== undefined);

  const observed = (event: JsonRecord): void => {
    const observation = asRecord(event['observation']);
    const exit = asNumber(observation?.['exit_code']) ?? asNumber(at(observation, 'metadata', 'exit_code'));
    const running = exit === -1;
    const isError = observation?.['is_error'] === true || observation?.['timeout'] === true;
    calls.result(keysOf(event), {
      output: textOf(observation?.['content'] ?? observation?.['output']),
      isError: isError || (exit !== undefined && exit !== 0 && !running),
      ...(exit !== undefined && !running && { exitCode: exit }),
      ...(running && { running: true }),
    });
  };

  const failed = (event: JsonRecord): void => {
    const error = asText(event['error']) ?? asText(event['detail']) ?? 'error';
    if (event['kind'] !== 'AgentErrorEvent')
      return emitter.emit({
        type: 'error',
        kind: requestErrorKind(error),
        message: error,
      });
    const unknown = /Tool (?:'([^'\n]{1,200})'|([^\s']{1,200})) not found/i.exec(error)?.slice(1).find(Boolean);
    const keys = keysOf(event);
    if (keys.length === 0) return emitter.emit({ type: 'error', kind: 'other', message: error });
    const kind = unknown === undefined ? 'invalid_arguments' : 'unknown_tool';
    const why = VALIDATION.test(error) ? malformed(kind, error, undefined, unknown) : {};
    calls.result(keys, { output: error, isError: true, ...why });
  };

  const message = (event: JsonRecord): void => {
    const text = textOf(at(event, 'llm_message', 'content')).trim();
    if (text === '') return emitter.emit({ type: 'other', name: 'empty message' });
    if (event['source'] === 'agent') emitter.emit({ type: 'assistant', text, chunk: false });
    else emitter.emit({ type: 'user', text, automated: event['source'] !== 'user' || isOwnMessage(text) });
  };

  return (event) => {
    switch (event['kind']) {
      case 'ActionEvent':
        return action(event);
      case 'ObservationEvent':
        return observed(event);
      case 'AgentErrorEvent':
      case 'ConversationErrorEvent':
        return failed(event);
      case 'UserRejectObservation':
        return calls.result(keysOf(event), {
          output: asText(event['rejection_reason']) ?? 'rejected',
          isError: true,
          denied: 'user',
        });
      case 'MessageEvent':
        return message(event);
      case 'Condensation':
      case 'CondensationEvent': {
        const summary = asText(event['summary']);
        return emitter.emit({ type: 'compaction', trigger: 'auto', ...(summary !== undefined && { summary }) });
      }
      case 'PauseEvent':
        return emitter.emit({ type: 'turn_end', reason: 'interrupted' });
      case 'ConversationStateUpdateEvent':
        if (event['key'] === 'stats') return stats(event['value']);
        if (event['key'] === 'execution_status' || event['key'] === 'agent_status')
          return emitState(emitter, asText(event['value']) ?? '');
        return emitter.emit({ type: 'other', name: 'state' });
      default:
        return emitter.emit({ type: 'other', name: asText(event['kind']) ?? 'event' });
    }
  };
}

/** Returns the parsed action, else the arguments as the model wrote them. */
function argsOf(event: JsonRecord): unknown {
  const given = asRecord(event['action']) ?? asRecord(parseJson(asText(at(event, 'tool_call', 'arguments')) ?? ''));
  if (!given) return asArray(event['action']) ?? {};
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given))
    if (value !== null && value !== false && !NOISE.has(name)) args[name] = value;
  return args;
}
