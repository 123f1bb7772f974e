import type { EventBody } from '../shared/conversation';
import { planItems } from '../shared/decode/plan-items';
import {
  asNumber,
  asRecord,
  asText,
  at,
  createMarkFinder,
  describeCall,
  isOwnMessage,
  type JsonRecord,
  type ToolTable,
} from '../shared/decode';
import { failureIn } from './failure';
import { resultOf, wantedCall } from './result';

/** Roles of OpenCode's tools for which the common one does not fit. */
const TOOLS: ToolTable = {
  batch: 'other',
  planenter: 'plan',
  planexit: 'ask',
  invalid: 'other',
};

/** Reports an event with its time (milliseconds since the epoch) and its part (1-based index within the session). */
export type Say = (at: number, index: number, body: EventBody) => void;

interface KnownMessage {
  readonly role: 'user' | 'assistant';
  readonly isSummary: boolean;
  /** True if it holds a command that a person ran. */
  readonly isOwnCommand: boolean;
  /** True once nothing will be added to it. */
  complete: boolean;
  ended: boolean;
  /** True if it has text or calls a tool. */
  answers: boolean;
  summary: string;
  /** True if a person had the context compacted, which begins with this message. */
  compacts?: true;
}

/** Text of the message before a command that a person runs at the prompt (`!`); the command is its answer. */
export const OWN_COMMAND = 'The following tool was executed by the user';

/** A person's refusal ends the turn, unless they said what to do instead. */
const ENDS_TURN = /^The user (?:dismissed this question|rejected permission to use this specific tool call)\.?$/;

/** Progress of emitting a part; parts only move forward. */
type PartState = 'seen' | 'called' | 'done';

/**
 * The messages and parts of one session, passed in each time they change: reports only what is new. Within one reading the order is not by time: the
 * listener sorts.
 */
export interface Fold {
  /** Notes a part before the message that follows: it may show whose message that is. */
  foresee(part: JsonRecord, message: string): void;
  /** Reads the information on a message, before its parts. `index`: the part to which its own events belong. */
  message(info: JsonRecord, index: number): void;
  /** Reads a message's end, after its parts. */
  ended(info: JsonRecord, index: number): void;
  /** Reads a part. `created`: its creation time, in milliseconds since the epoch, because it may have no time of its own. */
  part(part: JsonRecord, message: string, index: number, created: number): void;
  /** Folder to which paths are relative. */
  cwd: string | undefined;
}

/** Returns milliseconds since the epoch; undefined for a value that is not a time. */
function timeOf(value: unknown): number | undefined {
  const time = asNumber(value);
  return time !== undefined && time > 0 ? time : undefined;
}

/** `withRequest` receives the events that apply from the model's next request on. */
export function createFold(say: Say, withRequest: Say): Fold {
  const messages = new Map<string, KnownMessage>();
  const parts = new Map<string, PartState>();
  const ownCommands = new Set<string>();
  const marks = createMarkFinder();
  let model: string | undefined;

  const findMarks = (say: Say, time: number, index: number, text: string): void => {
    for (const message of marks.find(text)) say(time, index, { type: 'message_taken', message });
  };

  const begin = (info: JsonRecord, index: number): KnownMessage => {
    const id = asText(info['id']) ?? '';
    const known = messages.get(id);
    const complete = at(info, 'time', 'completed') !== undefined || info['error'] !== undefined;
    if (known) {
      known.complete ||= complete;
      return known;
    }
    const isUser = info['role'] === 'user';
    const fresh: KnownMessage = {
      role: isUser ? 'user' : 'assistant',
      isSummary: info['summary'] === true,
      isOwnCommand: ownCommands.has(asText(info['parentID']) ?? ''),
      complete: isUser || complete,
      ended: isUser,
      answers: false,
      summary: '',
    };
    messages.set(id, fresh);
    const created = asNumber(at(info, 'time', 'created')) ?? 0;
    const named = asText(info['modelID']) ?? asText(at(info, 'model', 'modelID'));
    if (named !== undefined && named !== model && !fresh.isSummary) {
      model = named;
      say(created, index, { type: 'session_info', model: named });
    }
    if (!isUser && !fresh.isOwnCommand) say(created, index, { type: 'request' });
    return fresh;
  };

  const userText = (part: JsonRecord, time: number, index: number): void => {
    const text = asText(part['text']) ?? '';
    if (text.trim() === '' || part['ignored'] === true) return;
    const continues = at(part, 'metadata', 'compaction_continue') === true;
    // Text that OpenCode adds to a prompt (files that the prompt names) is not a prompt.
    if (part['synthetic'] === true && !continues && !isOwnMessage(text)) return;
    say(time, index, { type: 'user', text, automated: part['synthetic'] === true || isOwnMessage(text) });
    findMarks(withRequest, time, index, text);
  };

  const tool = (part: JsonRecord, id: string, message: string, index: number, created: number): PartState => {
    const state = asRecord(part['state']) ?? {};
    const before = parts.get(id) ?? 'seen';
    const { status } = state;
    if (status !== 'running' && status !== 'completed' && status !== 'error') return before;
    const name = asText(part['tool']) ?? 'unknown';
    const ended = timeOf(at(state, 'time', 'end'));
    // Events are reported in order of time, and a call comes before its result, whatever its record contains.
    const start = timeOf(at(state, 'time', 'start')) ?? Math.min(created, ended ?? created);
    const call = wantedCall(name, state['input']);
    if (before === 'seen') {
      const described = describeCall(call.name, call.args, { table: TOOLS, cwd: fold.cwd });
      say(start, index, { type: 'tool_call', id, ...call, batch: message, ...described });
      if (name === 'question' && status === 'running') {
        const question = asText(at(state, 'input', 'question')) ?? described.subject;
        say(start, index, { type: 'waiting', for: 'input', question });
      }
    }
    if (status === 'running') return 'called';
    const end = Math.max(start, ended ?? start);
    const result = resultOf(name, state);
    say(end, index, { type: 'tool_result', id, ...result });
    if (result.isError) findMarks(say, end, index, result.output);
    if (ENDS_TURN.test(asText(state['error']) ?? '')) say(end, index, { type: 'turn_end', reason: 'interrupted' });
    const items = name === 'todowrite' && !result.isError ? planItems(at(state, 'input', 'todos')) : null;
    if (items) say(end, index, { type: 'plan', items });
    return 'done';
  };

  const usage = (part: JsonRecord, time: number, index: number, isSummary: boolean): void => {
    const tokens = asRecord(part['tokens']);
    if (!tokens) return;
    const count = (...path: string[]): number => asNumber(at(tokens, ...path)) ?? 0;
    const input = count('input') + count('cache', 'read') + count('cache', 'write');
    const output = count('output') + count('reasoning');
    if (input + output === 0) return;
    const cost = asNumber(part['cost']) ?? 0;
    say(time, index, {
      type: 'usage',
      // The request that writes a summary does not fill the window of the conversation.
      ...(!isSummary && { contextTokens: asNumber(tokens['total']) ?? input + output }),
      inputTokens: input,
      outputTokens: output,
      ...(cost > 0 && { cost }),
    });
  };

  /** Reports a text, which becomes an event once it is complete. */
  const text = (part: JsonRecord, known: KnownMessage, index: number, created: number): PartState => {
    const end = asNumber(at(part, 'time', 'end'));
    if (end === undefined && !known.complete) return 'seen';
    const words = asText(part['text']) ?? '';
    if (known.isSummary) known.summary += words;
    else if (words.trim() !== '') {
      known.answers = true;
      say(end ?? created, index, { type: 'assistant', text: words, chunk: false });
    }
    return 'done';
  };

  const fold: Fold = {
    cwd: undefined,
    foresee(part, message) {
      if (part['synthetic'] === true && part['text'] === OWN_COMMAND) ownCommands.add(message);
    },
    message: (info, index) => void begin(info, index),
    ended(info, index) {
      const known = begin(info, index);
      const error = asRecord(info['error']);
      const completed = asNumber(at(info, 'time', 'completed'));
      if (known.ended || (completed === undefined && !error)) return;
      known.ended = true;
      if (known.isOwnCommand) return;
      const time = completed ?? asNumber(at(info, 'time', 'created')) ?? 0;
      if (error) {
        const failure = failureIn(error);
        if (!failure.aborted) say(time, index, { type: 'error', kind: failure.kind, message: failure.message });
        return say(time, index, { type: 'turn_end', reason: failure.aborted ? 'interrupted' : 'error' });
      }
      if (known.isSummary) {
        const summary = known.summary;
        const isByPerson = messages.get(asText(info['parentID']) ?? '')?.compacts === true;
        const trigger = isByPerson ? 'manual' : 'auto';
        say(time, index, { type: 'compaction', trigger, ...(summary !== '' && { summary }) });
        if (isByPerson) say(time, index, { type: 'turn_end', reason: 'done' });
        return;
      }
      const { finish } = info;
      if (!known.answers && at(info, 'tokens', 'output') === 0)
        say(time, index, { type: 'assistant', text: '', chunk: false });
      if (finish === 'length') {
        say(time, index, { type: 'error', kind: 'validation', message: 'The answer was cut off at the output limit.' });
      }
      if (finish === 'tool-calls' || finish === 'unknown') return;
      say(time, index, { type: 'turn_end', reason: finish === 'error' ? 'error' : 'done' });
    },
    part(part, message, index, created) {
      const known = messages.get(message);
      const id = asText(part['id']) ?? '';
      if (!known || known.isOwnCommand || parts.get(id) === 'done') return;
      parts.set(id, readPart(part, id, known, message, index, created));
    },
  };

  const readPart = (
    part: JsonRecord,
    id: string,
    known: KnownMessage,
    message: string,
    index: number,
    created: number,
  ): PartState => {
    switch (part['type']) {
      case 'text':
        if (known.role === 'assistant') return text(part, known, index, created);
        fold.foresee(part, message);
        userText(part, created, index);
        return 'done';
      case 'compaction':
        if (part['auto'] !== false) return 'done';
        known.compacts = true;
        say(created, index, { type: 'turn_start' });
        return 'done';
      case 'tool':
        known.answers = true;
        return tool(part, id, message, index, created);
      case 'step-finish':
        usage(part, created, index, known.isSummary);
        return 'done';
      case 'retry': {
        const failure = failureIn(asRecord(part['error']) ?? {});
        const time = asNumber(at(part, 'time', 'created')) ?? created;
        say(time, index, { type: 'error', kind: failure.kind, message: failure.message });
        return 'done';
      }
      default:
        return 'done';
    }
  };
  return fold;
}
