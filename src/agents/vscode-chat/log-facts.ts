import type { ErrorKind, PermissionMode } from '../../core/model';
import {
  argsOf,
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  type JsonRecord,
  requestErrorKind,
  timeOf,
} from '../shared/decode';
import type { ChatState, ChangedPlace } from './operations';
import { readTerminal, type Terminal, textOfResult } from './outcome';

/** A call as a part of the chat view's response. */
export interface CallPart {
  readonly id: string;
  readonly tool: string;
  /** The call that started the sub-agent of this one. */
  readonly parent?: string;
  /** True if it waits for the user's permission. */
  readonly asks: boolean;
  readonly terminal?: Terminal;
  /** True if it is not the last part: anything missing by now will not come before the turn ends. */
  readonly isPassed: boolean;
}

export interface Round {
  readonly text: string;
  readonly at?: number;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
}

/** A fact from the log of the chat view, one change at a time. */
export type LogFact =
  | { readonly kind: 'session'; readonly id?: string; readonly title?: string; readonly window?: number }
  | {
      readonly kind: 'request';
      readonly index: number;
      readonly at: number;
      readonly text: string;
      readonly model?: string;
      readonly permissionMode?: PermissionMode;
    }
  | { readonly kind: 'call'; readonly index: number; readonly call: CallPart }
  /** The conversation was compacted; `after`: the call before it. `position` distinguishes two compactions. */
  | { readonly kind: 'compaction'; readonly index: number; readonly position: number; readonly after?: string }
  /** A hook of the user or of the project reported something in the chat. */
  | { readonly kind: 'hook'; readonly text: string }
  | { readonly kind: 'usage'; readonly index: number; readonly prompt?: number; readonly completion?: number }
  | {
      readonly kind: 'state';
      readonly index: number;
      readonly value: number;
      readonly at?: number;
    }
  | {
      readonly kind: 'result';
      readonly index: number;
      readonly error?: { readonly message: string; readonly kind: ErrorKind };
      readonly rounds: readonly Round[];
      readonly results: ReadonlyMap<string, string>;
    };

/** Returns the id of a call as it is in the transcript: hooks and results add `__vscode-<number>`. */
export function callId(id: string): string {
  return id.replace(/__vscode-\d{1,20}$/, '');
}

/** Returns the facts of an operation. */
export function* logFacts(state: ChatState, touched: ChangedPlace): Generator<LogFact> {
  switch (touched.what) {
    case 'other':
      yield session(state);
      return;
    case 'all':
      yield session(state);
      for (let index = 0; index < state.requests.length; index++) yield* ofRequest(state, index);
      return;
    case 'requests':
      for (let index = touched.from; index < state.requests.length; index++) yield* ofRequest(state, index);
      return;
    case 'request': {
      const request = state.request(touched.index);
      if (request) yield* ofKey(request, touched.index, touched.key, touched.from);
    }
  }
}

function session(state: ChatState): LogFact {
  const id = asText(state.get('sessionId'));
  const title = asText(state.get('customTitle'));
  const window = asNumber(at(state.get('inputState'), 'selectedModel', 'metadata', 'maxInputTokens'));
  return {
    kind: 'session',
    ...(id !== undefined && { id }),
    ...(title !== undefined && { title }),
    ...(window !== undefined && { window }),
  };
}

/** Causes before effects: the prompt, what was done, how it ended. */
const ORDER = ['message', 'response', 'promptTokens', 'result', 'modelState'] as const;

function* ofRequest(state: ChatState, index: number): Generator<LogFact> {
  const request = state.request(index);
  if (!request) return;
  for (const key of ORDER) if (request[key] !== undefined) yield* ofKey(request, index, key, 0);
}

function* ofKey(request: JsonRecord, index: number, key: string, from: number): Generator<LogFact> {
  switch (key) {
    case 'message': {
      const text = asText(at(request['message'], 'text')) ?? asText(request['message']);
      const when = timeOf(request['timestamp']);
      if (text === undefined || when === undefined) return;
      const model = asText(request['modelId'])?.replace(/^.*\//, '');
      const permissionMode = permissionModeOf(at(request['modeInfo'], 'permissionLevel'));
      yield {
        kind: 'request',
        index,
        at: when,
        text,
        ...(model && { model }),
        ...(permissionMode && { permissionMode }),
      };
      return;
    }
    case 'response':
      yield* parts(asArray(request['response']) ?? [], index, from);
      return;
    case 'promptTokens':
    case 'completionTokens': {
      const prompt = asNumber(request['promptTokens']);
      const completion = asNumber(request['completionTokens']);
      yield { kind: 'usage', index, ...(prompt && { prompt }), ...(completion && { completion }) };
      return;
    }
    case 'result':
      yield result(request['result'], index);
      return;
    case 'modelState': {
      const value = asNumber(at(request['modelState'], 'value'));
      const when = timeOf(at(request['modelState'], 'completedAt'));
      if (value !== undefined) yield { kind: 'state', index, value, ...(when !== undefined && { at: when }) };
    }
  }
}

/** Returns the mode only if everything is allowed: by default some commands run without a question, depending on the user's settings. */
function permissionModeOf(level: unknown): PermissionMode | undefined {
  return level === 'autoApprove' || level === 'autopilot' ? 'nothing' : undefined;
}

function* parts(response: readonly unknown[], index: number, from: number): Generator<LogFact> {
  // The part before the new ones is no longer the last.
  const start = Math.max(0, from - 1);
  for (let position = start; position < response.length; position++) {
    const part = asRecord(response[position]);
    if (!part) continue;
    switch (part['kind']) {
      case 'toolInvocationSerialized': {
        const call = callPart(part, position < response.length - 1);
        if (call) yield { kind: 'call', index, call };
        break;
      }
      case 'progressTaskSerialized': {
        const text = asText(at(part['content'], 'value')) ?? '';
        const after = text.startsWith('Compacted conversation') ? callBefore(response, position) : null;
        if (after !== null) yield { kind: 'compaction', index, position, ...(after !== undefined && { after }) };
        break;
      }
      case 'hook': {
        const text = asText(part['stopReason']);
        if (text !== undefined) yield { kind: 'hook', text };
        break;
      }
      default:
    }
  }
}

function callBefore(response: readonly unknown[], position: number): string | undefined {
  for (let at = position - 1; at >= 0; at--) {
    const id = asText(asRecord(response[at])?.['toolCallId']);
    if (id !== undefined) return callId(id);
  }
  return undefined;
}

function callPart(part: JsonRecord, isPassed: boolean): CallPart | undefined {
  const id = asText(part['toolCallId']);
  const tool = asText(part['toolId']);
  if (id === undefined || tool === undefined) return undefined;
  const data = asRecord(part['toolSpecificData']);
  const parent = asText(part['subAgentInvocationId']);
  return {
    id: callId(id),
    tool,
    asks: part['isConfirmed'] === undefined,
    isPassed,
    ...(parent !== undefined && { parent: callId(parent) }),
    ...(data?.['kind'] === 'terminal' && { terminal: readTerminal(data) }),
  };
}

function result(value: unknown, index: number): LogFact {
  const message = asText(at(value, 'errorDetails', 'message'));
  const metadata = asRecord(at(value, 'metadata'));
  const results = new Map<string, string>();
  for (const [id, one] of Object.entries(asRecord(metadata?.['toolCallResults']) ?? {}))
    results.set(callId(id), textOfResult(one));
  const rounds = (asArray(metadata?.['toolCallRounds']) ?? []).map(asRecord).flatMap((round): Round[] => {
    if (!round) return [];
    const when = timeOf(round['timestamp']);
    const calls = (asArray(round['toolCalls']) ?? []).map(asRecord).flatMap((call) => {
      const id = asText(call?.['id']);
      if (!call || id === undefined) return [];
      return [{ id: callId(id), name: asText(call['name']) ?? 'unknown', args: argsOf(call['arguments']) }];
    });
    return [{ text: asText(round['response']) ?? '', calls, ...(when !== undefined && { at: when }) }];
  });
  return {
    kind: 'result',
    index,
    ...(message !== undefined && { error: { message: reasonOf(message), kind: requestErrorKind(message) } }),
    rounds,
    results,
  };
}

/** Finds `Reason: Rate limit exceeded` in a page of other text. */
function reasonOf(message: string): string {
  const reason = /(?:^|\n)Reason: ([^\n]{1,300})/.exec(message.slice(0, 4000))?.[1];
  return reason ?? message.slice(0, 300);
}
