import { VERSION } from '../../agents/generic/fields';
import { describeCall } from '../../agents/shared/decode';
import type { AgentEvent, ToolCallEvent, ToolResultEvent } from '../../core/model';

/** One line of a generic transcript before it is printed (docs/transcript.md). */
export type GenericRecord = Readonly<Record<string, unknown>> & { readonly type: string };

/** Session, agent and folder that the records name. */
export interface RecordNames {
  readonly session: string;
  readonly agentName: string;
  /** Working directory of the agent, if known. */
  readonly cwd?: string;
}

/** Writes events as lines of a generic transcript; the reverse of its decoder. */
export function genericRecords(events: readonly AgentEvent[], names: RecordNames): GenericRecord[] {
  return new Writer(events, names).records();
}

class Writer {
  /** Ids of calls are specific to each vendor; here they count up. */
  private readonly ids = new Map<string, string>();
  private readonly batches = new Map<string, string>();
  private readonly answers = new Map<string, ToolResultEvent>();

  constructor(
    private readonly events: readonly AgentEvent[],
    private readonly names: RecordNames,
  ) {
    for (const event of events) if (event.type === 'tool_result') this.answers.set(event.id, event);
  }

  records(): GenericRecord[] {
    const { session, agentName } = this.names;
    const records: GenericRecord[] = [];
    const put = (at: number, fields: GenericRecord): void => {
      records.push({ v: VERSION, t: new Date(at).toISOString(), session, ...fields });
    };
    const [first] = this.events;
    if (!first) return [];
    put(first.at, { ...this.start(), agent: agentName });
    for (const event of this.events) for (const fields of this.fieldsOf(event)) put(event.at, fields);
    return records;
  }

  /** Returns everything that is known of the session, in one line. */
  private start(): GenericRecord {
    const { cwd } = this.names;
    let [model, contextWindow]: [string | undefined, number | undefined] = [undefined, undefined];
    for (const event of this.events) {
      if (event.type !== 'session_info') continue;
      model = event.model ?? model;
      contextWindow = event.contextWindow ?? contextWindow;
    }
    const tools = this.tools();
    return {
      type: 'session_start',
      ...(cwd !== undefined && { cwd }),
      ...(model !== undefined && { model }),
      ...(contextWindow !== undefined && { contextWindow }),
      ...(tools.length > 0 && { tools }),
    };
  }

  /**
   * Returns the available tools, if a call was refused as malformed: the format has no field for that, so calls are checked against the list. A tool
   * of which no call was accepted gets a schema that accepts none.
   */
  private tools(): { readonly name: string; readonly schema?: unknown }[] {
    const taken = new Map<string, boolean>();
    let refused = false;
    for (const event of this.events) {
      if (event.type !== 'tool_call') continue;
      const kind = this.answers.get(event.id)?.validation?.kind;
      if (kind === 'unknown_tool' || kind === 'invalid_arguments') refused = true;
      if (kind === 'unknown_tool') continue;
      const isTaken = kind === undefined && event.malformed === undefined;
      taken.set(event.name, (taken.get(event.name) ?? false) || isTaken);
    }
    if (!refused) return [];
    // The list must not be empty: calls are not checked against an empty one.
    if (taken.size === 0) return [{ name: 'a_tool_that_exists' }];
    return [...taken].map(([name, isTaken]) => ({ name, ...(!isTaken && { schema: { not: {} } }) }));
  }

  private fieldsOf(event: AgentEvent): GenericRecord[] {
    switch (event.type) {
      case 'user':
        return [
          {
            type: 'user',
            text: event.text,
            ...(event.automated && { automated: true }),
            ...(event.scheduled && { scheduled: true }),
          },
        ];
      case 'assistant':
        return [{ type: 'assistant', text: event.text, ...(event.chunk && { chunk: true }) }];
      case 'tool_call':
        return this.call(event);
      case 'tool_result':
        return this.result(event);
      case 'error':
        return [{ type: 'error', kind: event.kind, message: event.message }];
      case 'usage': {
        const { contextTokens, contextWindow, inputTokens, outputTokens, totalTokens, tokenLimit } = event;
        return [{ type: 'usage', contextTokens, contextWindow, inputTokens, outputTokens, totalTokens, tokenLimit }];
      }
      case 'compaction':
        return [{ type: 'compaction', trigger: event.trigger, summary: event.summary }];
      case 'plan':
        return [{ type: 'plan', items: event.items }];
      case 'turn_start':
        return [{ type: 'turn_start' }];
      case 'turn_end':
        return [{ type: 'turn_end', reason: event.reason }];
      case 'waiting':
        return [{ type: 'waiting', for: event.for, question: event.question }];
      case 'completion':
        return [{ type: 'completion', claim: event.claim }];
      case 'session_end':
        return [{ type: 'session_end', reason: event.reason }];
      case 'clock':
      case 'request':
        // A request to the model: nothing happened yet, but time passed.
        return [{ type: 'clock' }];
      case 'session_info':
      case 'message_taken':
      case 'vendor_loop':
      case 'job_end':
      case 'other':
        return [];
    }
  }

  private call(event: ToolCallEvent): GenericRecord[] {
    const answer = this.answers.get(event.id);
    if (answer && isLeftOut(answer)) return [];
    const id = numbered(this.ids, event.id);
    const batch = event.batch === undefined ? {} : { batch: numbered(this.batches, event.batch) };
    return [{ type: 'tool_call', id, ...named(event, answer, this.names.cwd), ...batch }];
  }

  private result(event: ToolResultEvent): GenericRecord[] {
    const id = this.ids.get(event.id);
    // Its call is before the first of these events, or was left out.
    if (id === undefined) return [];
    const { output, isError, exitCode, durationMs, size, merged, validation } = event;
    const result = { type: 'tool_result', id, output, isError, exitCode, durationMs, size, merged };
    const isFormat = validation?.kind === 'format' || validation?.kind === 'invalid_completion';
    return isFormat ? [result, { type: 'error', kind: 'validation', message: validation.error }] : [result];
  }
}

/** True if a person refused or interrupted the call: it is no repeat of the agent, and the format cannot mark it. */
function isLeftOut({ denied, interrupted, outcome }: ToolResultEvent): boolean {
  return denied === 'user' || interrupted === true || outcome === 'late';
}

function numbered(known: Map<string, string>, id: string): string {
  const number = known.get(id) ?? String(known.size + 1);
  known.set(id, number);
  return number;
}

/** Returns name and arguments, such that the decoder of the format reads the same call in them as the decoder of the agent did. */
function named(
  { name, args, malformed, command, target, kind }: ToolCallEvent,
  answer: ToolResultEvent | undefined,
  cwd: string | undefined,
): { readonly name: string; readonly args: unknown } {
  const refusal = answer?.validation?.kind;
  if (malformed !== undefined || refusal === 'unparsable' || refusal === 'truncated')
    // Arguments that could be read only in part are written as JSON that ends too early.
    return { name, args: typeof args === 'string' ? args : JSON.stringify(args ?? {}).slice(0, -1) };
  const fields = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { input: args };
  const read = describeCall(name, fields, { cwd });
  if (command !== undefined && read.command !== command) return { name: 'shell', args: { command } };
  if (kind === read.kind && target === read.target) return { name, args: fields };
  if (kind === 'changed' && target !== undefined) return { name: 'edit_file', args: { ...fields, file_path: target } };
  if (kind === 'looked' && target !== undefined) return { name: 'read_file', args: { ...fields, file_path: target } };
  return { name, args: fields };
}
