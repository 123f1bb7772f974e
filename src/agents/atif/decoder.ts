import type { DecoderContext, DocumentDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  asText,
  at,
  type CallDescription,
  describeCall,
  exitCodeIn,
  isOwnMessage,
  type JsonRecord,
  parseJson,
  parseRecord,
  printed,
  sessionOfFile,
  textOf,
  timeOf,
} from '../shared/decode';
import { type RecordEmitter, createDocument } from '../shared/conversation';
import { planItems } from '../shared/decode/plan-items';
import { type ViewedResult, viewedResult } from './viewer';

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly malformed?: string;
}

/** A step of ATIF, or of the viewer form derived from it, in one shape. */
interface AtifStep {
  readonly source: string;
  readonly text: string;
  readonly at: number | undefined;
  readonly calls: readonly Call[];
  /** Results by the id of their call; those that name none are in `rest`. */
  readonly results: ReadonlyMap<string, ViewedResult>;
  readonly rest: readonly ViewedResult[];
  readonly metrics: JsonRecord | undefined;
  readonly copied: boolean;
}

/** Calls with which agents say that they are done. */
const DONE = /^(?:mark_task_complete|task_complete|submit|finish|attempt_completion)$/;

/** Decodes an ATIF 1.x trajectory, one document: `steps` with `tool_calls` and their `observation`. */
export function createDecoder({ file }: DecoderContext): DocumentDecoder {
  /** The trajectory has its final metrics or the verifier's log: nothing follows. */
  let complete = false;
  return createDocument<AtifStep>({
    agent: 'atif',
    file,
    session: sessionOfFile(file),
    read(text) {
      const document = parseRecord(text);
      const steps = asArray(document?.['steps']);
      if (!document || !steps) return document ? 'a document without steps' : 'not a JSON document';
      complete = document['final_metrics'] !== undefined || document['verifierLog'] !== undefined;
      const agent = asRecord(document['agent']);
      const id = asText(document['session_id']) ?? asText(document['trajectory_id']);
      return {
        records: steps.map((step, index) => readStep(asRecord(step) ?? {}, index)),
        begin(emitter) {
          if (id !== undefined) emitter.session = id;
          const agentName = asText(agent?.['name']);
          const version = asText(agent?.['version']);
          const model = asText(agent?.['model_name']);
          emitter.timed(timeOf(asRecord(steps[0])?.['timestamp']));
          emitter.emit({
            type: 'session_info',
            mode: 'print',
            ...(agentName !== undefined && { agentName }),
            ...(version !== undefined && { version }),
            ...(model !== undefined && { model }),
          });
        },
      };
    },
    record(emitter, step, index, once) {
      emitter.timed(step.at);
      if (step.copied) {
        if (once('copied')) emitter.emit({ type: 'other', name: 'copied context' });
        return;
      }
      if (step.source === 'system') {
        if (once('system')) emitter.emit({ type: 'other', name: 'system' });
        return;
      }
      if (step.source === 'user') {
        if (once('user') && step.text.trim() !== '') {
          emitter.emit({ type: 'user', text: step.text, automated: isOwnMessage(step.text) });
        }
        return;
      }
      if (step.text.trim() !== '' && once('text')) emitter.emit({ type: 'assistant', text: step.text, chunk: false });
      for (const call of step.calls) {
        if (!once(`call ${call.id}`)) continue;
        const described = describe(call);
        emitter.emit({ type: 'tool_call', ...call, batch: `step ${index}`, ...described });
      }
      for (const [id, result] of step.results) if (once(`result ${id}`)) answer(emitter, step, id, result, false);
      const unanswered = step.calls.filter((call) => !step.results.has(call.id));
      const joined = step.rest.length === 0 ? undefined : join(step.rest);
      if (unanswered.length > 0 && joined) {
        for (const call of unanswered) {
          if (once(`result ${call.id}`)) answer(emitter, step, call.id, joined, unanswered.length > 1);
        }
      } else if (joined && joined.output.trim() !== '' && once('observation')) spoken(emitter, joined.output);
      if (step.metrics && once('usage')) usage(emitter, step.metrics);
    },
    ended(emitter, { records }, once) {
      const last = records.at(-1);
      if (!complete || last?.source !== 'agent' || last.calls.length > 0 || last.rest.length > 0) return;
      if (last.text.trim() !== '' && once('end')) emitter.emit({ type: 'turn_end', reason: 'done' });
    },
  });

  function answer(emitter: RecordEmitter, step: AtifStep, id: string, result: ViewedResult, merged: boolean): void {
    const call = step.calls.find((one) => one.id === id);
    if (!call) return emitter.emit({ type: 'other', name: 'result without a call' });
    // Only these names: a fetched page's answer is called `code` as well.
    const metadata = asRecord(result.metadata);
    const exitCode =
      asNumber(metadata?.['exit_code']) ??
      asNumber(metadata?.['exitCode']) ??
      (merged ? undefined : exitCodeIn(result.output));
    const isError = result.isError || (exitCode !== undefined && exitCode !== 0);
    const at = emitter.place.at + (result.durationMs ?? 0);
    emitter.emit(
      {
        type: 'tool_result',
        id,
        output: result.output,
        isError,
        ...(exitCode !== undefined && { exitCode }),
        ...(result.durationMs !== undefined && { durationMs: result.durationMs }),
        ...(merged && { merged: true }),
      },
      { source: emitter.place.source, at },
    );
    if (DONE.test(call.name)) emitter.emit({ type: 'completion', claim: call.name });
    const items = /^(?:update_plan|TodoWrite|todo_write|write_todos)$/.test(call.name)
      ? planItems(asRecord(call.args)?.['plan'] ?? asRecord(call.args)?.['todos'])
      : null;
    if (items) emitter.emit({ type: 'plan', items });
  }
}

/** Reports the harness's answer to a message without a call: a complaint about its form, or a prompt in the user's name. */
function spoken(emitter: RecordEmitter, text: string): void {
  if (
    /^(?:Previous response had parsing errors|No tool calls? (?:were )?found|Your (?:last )?response (?:could not|was not))/i.test(
      text,
    )
  ) {
    return emitter.emit({ type: 'error', kind: 'validation', message: text });
  }
  emitter.emit({ type: 'user', text, automated: true });
}

/** Describes a call. Terminus types into a terminal: `keystrokes` are the command; no keystrokes mean a wait for what is running. */
function describe({ name, args, malformed }: Call): CallDescription {
  const keystrokes = asString(asRecord(args)?.['keystrokes']);
  if (keystrokes === undefined) return describeCall(name, malformed === undefined ? args : {});
  if (keystrokes.trim() === '') return { kind: 'waited', subject: 'Wait' };
  return describeCall('bash', { command: keystrokes.trimEnd() });
}

function usage(emitter: RecordEmitter, metrics: JsonRecord): void {
  const prompt = asNumber(metrics['prompt_tokens']) ?? asNumber(metrics['prompt']);
  const completion = asNumber(metrics['completion_tokens']) ?? asNumber(metrics['completion']);
  const cost = asNumber(metrics['cost_usd']);
  if (prompt === undefined && completion === undefined && cost === undefined) return;
  emitter.emit({
    type: 'usage',
    ...(prompt !== undefined && { contextTokens: prompt + (completion ?? 0), inputTokens: prompt }),
    ...(completion !== undefined && { outputTokens: completion }),
    ...(cost !== undefined && { cost }),
  });
}

function readStep(step: JsonRecord, index: number): AtifStep {
  const calls = (asArray(step['tool_calls']) ?? asArray(step['toolCalls']) ?? []).map((value, n) =>
    readCall(asRecord(value) ?? {}, index, n),
  );
  const results = new Map<string, ViewedResult>();
  const rest: ViewedResult[] = [];
  const given = asArray(at(step, 'observation', 'results')) ?? [];
  for (const [n, value] of given.entries()) {
    const record = asRecord(value);
    const id = asText(record?.['source_call_id']) ?? (given.length === calls.length ? calls[n]?.id : undefined);
    const output = textOf(record?.['content']);
    const metadata = record?.['extra'];
    const isError = at(metadata, 'is_error') === true || record?.['is_error'] === true;
    const result: ViewedResult = { output, isError, ...(metadata !== undefined && { metadata }) };
    if (id === undefined || !calls.some((call) => call.id === id) || results.has(id)) rest.push(result);
    else results.set(id, result);
  }
  const observation = asString(step['observation']);
  if (observation !== undefined) rest.push(viewedResult(observation));
  const text = textOf(step['message'] ?? step['text']);
  const role = asText(step['source']) ?? asText(step['role']) ?? 'other';
  return {
    source: role === 'assistant' ? 'agent' : role,
    // Written by an exporter when the agent said nothing.
    text: /^Executed \S+ \S+$/.test(text) ? '' : text,
    at: timeOf(step['timestamp']),
    calls,
    results,
    rest,
    metrics: asRecord(step['metrics']) ?? asRecord(step['tokens']),
    copied: step['is_copied_context'] === true,
  };
}

function readCall(call: JsonRecord, step: number, index: number): Call {
  const id = asText(call['tool_call_id']) ?? asText(call['id']) ?? `step ${step} call ${index}`;
  const name = asText(call['function_name']) ?? asText(call['name']) ?? 'unknown';
  const given = call['arguments'] ?? call['args'] ?? {};
  if (typeof given !== 'string') return { id, name, args: given };
  const parsed = parseJson(given);
  if (asRecord(parsed)) return { id, name, args: parsed };
  return { id, name, args: given, malformed: 'the arguments are not a JSON record' };
}

function join(results: readonly ViewedResult[]): ViewedResult {
  const [first] = results;
  if (first && results.length === 1) return first;
  const output = results.map((result) => result.output).join('\n');
  return {
    output: output === '' ? printed(results.length) : output,
    isError: results.some((result) => result.isError),
  };
}
