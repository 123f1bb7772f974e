import type { EventBody } from '../shared/conversation';
import type { PlanItem, Source } from '../../core/model';
import { sizeOfCut } from '../../base/util/cut';
import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  asText,
  createMarkFinder,
  Recent,
  describeCall,
  isBlank,
  isOwnMessage,
  type JsonRecord,
  outcomeOf,
  parseJson,
  printed,
  sessionOfFile,
  timeOf,
  whereJsonBreaks,
  eachRecord,
} from '../shared/decode';
import {
  ERROR_KINDS,
  type GenericType,
  isGenericType,
  PLAN_STATUS,
  SESSION_END_REASONS,
  TURN_END_REASONS,
  VERSION,
} from './fields';

interface GenericSession {
  readonly id: string;
  agentName: string | undefined;
  /** The call on the newest line; undefined once anything else followed, except counts and the time. */
  openCall: string | undefined;
  cwd: string | undefined;
}

const SESSIONS = 1000;

/** Decodes the generic transcript. Lenient where `unstuck check` is strict: anything that can be understood becomes an event, the rest a problem. */
export function createDecoder(context: DecoderContext): LineDecoder {
  const fileSession = sessionOfFile(context.file);
  const sessions = new Recent<string, GenericSession>(SESSIONS);
  const marks = createMarkFinder();
  let lastAt = 0;

  function sessionOf(row: JsonRecord): GenericSession {
    const id = asText(row['session']) ?? fileSession;
    let session = sessions.get(id);
    if (!session) {
      session = { id, agentName: undefined, openCall: undefined, cwd: undefined };
      sessions.set(id, session);
    }
    return session;
  }

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      if (isBlank(line.text)) return;
      const problem = (why: string): void => sink.problem({ line: line.line, offset: line.offset, why });
      const value = parseJson(line.text.startsWith('\uFEFF') ? line.text.slice(1) : line.text);
      const row = asRecord(value);
      if (!row) return problem(value === undefined ? 'not valid JSON' : 'not a JSON object');
      const type = row['type'];
      if (row['v'] !== undefined && row['v'] !== VERSION)
        return problem(`version ${printed(row['v']).slice(0, 20)} is not supported`);
      if (typeof type !== 'string') return problem('no type');
      if (!isGenericType(type)) return problem(`unknown type "${type.slice(0, 60)}"`);

      const session = sessionOf(row);
      const source: Source = { file: context.file, line: line.line, offset: line.offset };
      const at = timeOf(row['t']);
      if (at === undefined && row['t'] !== undefined) problem('"t" is not a time');
      lastAt = at ?? lastAt;
      const emit = (body: EventBody): void => {
        sink.event({ agent: 'generic', session: session.id, at: lastAt, source, ...body });
      };
      name(row, session, emit);
      const missing = read(type, row, session, emit);
      if (type === 'tool_call') session.openCall = idOf(row['id']);
      else if (type !== 'usage' && type !== 'clock') session.openCall = undefined;
      if (missing !== null) problem(`${type} without "${missing}"`);
    },
  });

  /** Reports the display name, which belongs to the session but appears on each line. */
  function name(row: JsonRecord, session: GenericSession, emit: (body: EventBody) => void): void {
    const agentName = asText(row['agent']) ?? session.agentName ?? 'agent';
    if (agentName === session.agentName) return;
    session.agentName = agentName;
    emit({ type: 'session_info', agentName });
  }

  /** Emits the event of one line. Returns the required field that it lacks, or null. */
  function read(
    type: GenericType,
    row: JsonRecord,
    session: GenericSession,
    emit: (body: EventBody) => void,
  ): string | null {
    switch (type) {
      case 'session_start':
        emit({ type: 'session_info', ...sessionFacts(row, session) });
        return null;
      case 'user': {
        const text = asString(row['text']);
        if (text === undefined) return 'text';
        for (const message of marks.find(text)) emit({ type: 'message_taken', message });
        const scheduled = row['scheduled'] === true;
        const automated = scheduled || row['automated'] === true || isOwnMessage(text);
        emit({ type: 'user', text, automated, ...(scheduled && { scheduled }) });
        return null;
      }
      case 'assistant': {
        const text = asString(row['text']);
        if (text === undefined) return 'text';
        emit({ type: 'assistant', text, chunk: row['chunk'] === true });
        return null;
      }
      case 'tool_call':
        return toolCall(row, session, emit);
      case 'tool_result':
        return toolResult(row, emit);
      case 'error': {
        const message = asString(row['message']);
        if (message === undefined) return 'message';
        const kind = oneOf(ERROR_KINDS, row['kind']) ?? 'other';
        const id = kind === 'rate_limit' || kind === 'validation' ? undefined : session.openCall;
        // Right after a call, the error is the call's result. Only a failed request may also be the end of the agent.
        if (id !== undefined) emit({ type: 'tool_result', id, output: message, isError: true });
        if (id === undefined || kind === 'api') emit({ type: 'error', kind, message });
        return null;
      }
      case 'usage':
        emit({
          type: 'usage',
          ...numbers(row, [
            'contextTokens',
            'contextWindow',
            'inputTokens',
            'outputTokens',
            'totalTokens',
            'tokenLimit',
            'cost',
          ]),
        });
        return null;
      case 'compaction':
        emit({ type: 'compaction', ...strings(row, ['summary', 'trigger']) });
        return null;
      case 'plan': {
        const items = planItems(row['items']);
        if (!items) return 'items';
        emit({ type: 'plan', items });
        return null;
      }
      case 'turn_start':
        emit({ type: 'turn_start' });
        return null;
      case 'turn_end':
        emit({ type: 'turn_end', reason: oneOf(TURN_END_REASONS, row['reason']) ?? 'done' });
        return null;
      case 'waiting':
        emit({
          type: 'waiting',
          for: row['for'] === 'permission' ? 'permission' : 'input',
          ...strings(row, ['question']),
        });
        return null;
      case 'completion': {
        const claim = asString(row['claim']);
        if (claim === undefined) return 'claim';
        emit({ type: 'completion', claim });
        return null;
      }
      case 'message_taken': {
        const message = asText(row['message']);
        if (message === undefined) return 'message';
        if (marks.once(message)) emit({ type: 'message_taken', message });
        return null;
      }
      case 'clock':
        emit({ type: 'clock' });
        return null;
      case 'session_end':
        emit({ type: 'session_end', reason: oneOf(SESSION_END_REASONS, row['reason']) ?? 'clean' });
    }
    return null;
  }
}

function sessionFacts(row: JsonRecord, session: GenericSession) {
  const cwd = asText(row['cwd']);
  if (cwd !== undefined) session.cwd = cwd;
  const tools = asArray(row['tools'])?.flatMap((tool) => {
    const name = asText(asRecord(tool)?.['name']);
    const schema = asRecord(tool)?.['schema'];
    return name === undefined ? [] : [{ name, ...(schema !== undefined && { schema }) }];
  });
  return {
    ...strings(row, ['cwd', 'model', 'role', 'parent']),
    ...numbers(row, ['contextWindow', 'pid']),
    ...(tools && { tools }),
  };
}

function toolCall(row: JsonRecord, session: GenericSession, emit: (body: EventBody) => void): string | null {
  const id = idOf(row['id']);
  const name = asText(row['name']);
  if (id === undefined) return 'id';
  if (name === undefined) return 'name';
  const { args, malformed } = argumentsOf(row['args']);
  const batch = idOf(row['batch']);
  const { kind, subject, command, target } = describeCall(name, args, { cwd: session.cwd });
  emit({
    type: 'tool_call',
    id,
    name,
    args,
    ...(malformed !== undefined && { malformed }),
    ...(batch !== undefined && { batch }),
    kind,
    subject,
    ...(command !== undefined && { command }),
    ...(target !== undefined && { target }),
  });
  return null;
}

/** Returns an object as it is, and a string as JSON that may be malformed. Other values are not what a call needs. */
function argumentsOf(value: unknown): { readonly args: unknown; readonly malformed?: string } {
  if (value === undefined || value === null) return { args: {} };
  if (typeof value === 'string') {
    const parsed = parseJson(value);
    if (parsed !== undefined)
      return asRecord(parsed) ? { args: parsed } : { args: value, malformed: 'the arguments are not a JSON object' };
    const place = whereJsonBreaks(value);
    const where = place === null || place >= value.trimEnd().length ? 'they end too early' : `character ${place + 1}`;
    return { args: value, malformed: `the arguments are not valid JSON (${where})` };
  }
  return asRecord(value) ? { args: value } : { args: value, malformed: 'the arguments are not a JSON object' };
}

function toolResult(row: JsonRecord, emit: (body: EventBody) => void): string | null {
  const id = idOf(row['id']);
  if (id === undefined) return 'id';
  const raw = row['output'];
  const output = typeof raw === 'string' ? raw : raw === undefined || raw === null ? '' : printed(raw);
  const written = asNumber(row['exitCode']);
  const isSaid = typeof row['isError'] === 'boolean' || written !== undefined;
  // If the line does not report success, the agent's own words in the output decide.
  const { isError, exitCode } = outcomeOf({
    output,
    isError: row['isError'] === true,
    metadata: written === undefined ? undefined : { exitCode: written },
    ...(isSaid && { forms: [] }),
  });
  const size = asNumber(row['size']) ?? sizeOfCut(output);
  emit({
    type: 'tool_result',
    id,
    output,
    isError,
    ...(exitCode !== undefined && { exitCode }),
    ...numbers(row, ['durationMs']),
    ...(size !== undefined && { size }),
    ...(row['merged'] === true && { merged: true }),
  });
  return null;
}

function planItems(value: unknown): readonly PlanItem[] | null {
  const list = asArray(value);
  if (!list) return null;
  return list.flatMap((entry, index) => {
    const item = asRecord(entry);
    const title = asString(item?.['title']);
    if (!item || title === undefined) return [];
    const blockedBy = asArray(item['blockedBy'])?.flatMap((id) => idOf(id) ?? []);
    return [
      {
        id: idOf(item['id']) ?? String(index + 1),
        title,
        status: oneOf(PLAN_STATUS, item['status']) ?? 'pending',
        ...(blockedBy && blockedBy.length > 0 && { blockedBy }),
      },
    ];
  });
}

/** Returns an id as a string; a number becomes its digits. */
function idOf(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : asText(value);
}

function oneOf<const T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}

function strings<const K extends string>(row: JsonRecord, names: readonly K[]): { [N in K]?: string } {
  const found: { [N in K]?: string } = {};
  for (const name of names) {
    const value = asString(row[name]);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function numbers<const K extends string>(row: JsonRecord, names: readonly K[]): { [N in K]?: number } {
  const found: { [N in K]?: number } = {};
  for (const name of names) {
    const value = asNumber(row[name]);
    if (value !== undefined) found[name] = value;
  }
  return found;
}
