import { type HookAnswer, type HookForm, SILENT } from '../inbox/hook/hook-form';
import type { InboxMessage } from '../../core/model';
import { fieldsOf, type JsonRecord } from '../../base/util/json';
import { hookForm } from '../shared/connect/hook-frame';
import {
  answerOf,
  atTurnEnd,
  describedCall,
  fittingTexts,
  joinedMessages,
  refusing,
  filledText,
} from '../shared/connect/hook-messages';
import { asArray, asRecord, asText, at, parseRecord } from '../shared/decode';
import { fileKind } from './locate';
import { callId } from './log-facts';

/**
 * The hook events of VS Code's chat agent that carry messages (measured with 1.139.1):
 *
 * - `PreToolUse`: text after the result of the call, for the next request to the model; or refuses the call. After `PostToolUse` a text would come
 *   one request later, since the next one is already built.
 * - `Stop`: the turn continues with the text
 *
 * They are in the file of Copilot CLI's hooks, which VS Code runs too: hook.sh distinguishes the two by their input.
 */
const EVENTS = ['PreToolUse', 'Stop'] as const;
type Event = (typeof EVENTS)[number];

/** @param readTail reads the end of a transcript as text; null if it cannot be read */
export function vscodeChatHookForm(readTail: (path: string) => string | null): HookForm {
  return hookForm<Event>({
    agent: 'vscode-chat',
    events: EVENTS,
    request(event, given) {
      const session = filledText(given['session_id']);
      if (session === null || (event === 'PreToolUse' && !isOwnCall(given, readTail))) return null;
      return { sessions: [session], folders: [filledText(given['cwd'])].filter((folder) => folder !== null) };
    },
    choose,
    answer,
  });
}

/**
 * Returns whether the call is the agent's own: its messages are not for its sub-agents. If the transcript cannot be read, a message waits for the end
 * of the turn.
 */
function isOwnCall(given: JsonRecord, readTail: (path: string) => string | null): boolean {
  const path = filledText(given['transcript_path']);
  const call = filledText(given['tool_use_id']);
  if (path === null || call === null) return true;
  const tail = fileKind(path) === 'transcript' ? readTail(path) : null;
  return tail !== null && whoseCall(tail, call) === 'own';
}

/** `unknown`: the transcript does not contain the call yet. */
type WhoseCall = 'own' | 'sub_agent' | 'unknown';

/**
 * Returns whether the call for which a hook runs is the agent's own or a sub-agent's. A sub-agent's call carries its parent's session and no name of
 * its own, but the transcript, which VS Code writes out before each hook, shows it after a call of `runSubagent` that has not ended.
 *
 * @param tail the last lines of the transcript; the first may be cut
 */
function whoseCall(tail: string, call: string): WhoseCall {
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

function choose(event: Event, payload: JsonRecord, waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  switch (event) {
    case 'PreToolUse': {
      const refused = refusing(waiting, filledText(payload['tool_name']) ?? '', payload['tool_input'], canonicalCall);
      return refused.length > 0 ? refused : fittingTexts(waiting);
    }
    case 'Stop':
      return atTurnEnd(waiting);
  }
}

/** Returns a call as one text. The description of a command differs each time it is run. */
function canonicalCall(name: string, args: unknown): string {
  if (name !== 'run_in_terminal') return describedCall(name, args, false);
  const { command, isBackground } = fieldsOf(args);
  return describedCall(name, { command, isBackground }, true);
}

function answer(event: Event, messages: readonly InboxMessage[]): HookAnswer {
  const words = joinedMessages(messages);
  switch (event) {
    case 'PreToolUse':
      return output(
        messages[0]?.kind === 'block'
          ? { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: words }
          : { hookEventName: event, additionalContext: words },
      );
    case 'Stop':
      return messages[0]?.kind === 'stop' ? SILENT : output({ hookEventName: event, decision: 'block', reason: words });
  }
}

function output(hookSpecificOutput: object): HookAnswer {
  return answerOf({ hookSpecificOutput });
}
