import type { MessageDraft } from '../../agents/inbox/messages/send';
import { isAgentId, MESSAGE_KINDS, type MessageKind } from '../../core/model';
import { fieldsOf, parseJson } from '../../base/util/json';
import { UsageError } from '../output';

/** The options of `inbox send`. */
export interface SendWords {
  readonly agent?: string | undefined;
  readonly kind?: string | undefined;
  readonly text?: string | undefined;
  readonly incident?: string | undefined;
  readonly mode?: string | undefined;
  readonly prompt?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly to?: string | undefined;
  readonly avoid?: readonly string[] | undefined;
  readonly call?: string | undefined;
  readonly expires?: string | undefined;
}

/** Options that only some kinds of message carry. */
const CARRIED: Readonly<Record<MessageKind, readonly (keyof SendWords)[]>> = {
  nudge: [],
  gate: [],
  checkpoint: [],
  stop: [],
  reassign: ['to', 'avoid', 'prompt'],
  restart: ['mode', 'prompt', 'model', 'thinking'],
  escalate: ['mode', 'prompt', 'model', 'thinking'],
  block: ['call'],
};
const SPECIAL = [...new Set(Object.values(CARRIED).flat())];
const MODES = ['resume', 'fork', 'fresh'] as const;
/** Longest expiry, seconds. After a day the message no longer fits what the agent is doing. */
const LONGEST_EXPIRY = 86_400;

/** Builds the message for `inbox send`. Throws a usage error of one clear line if the words make no valid message (docs/inbox.md). */
export function draftOfWords(session: string, words: SendWords, rest: readonly string[]): MessageDraft {
  const kind = MESSAGE_KINDS.find((one) => one === (words.kind ?? 'nudge'));
  if (kind === undefined) throw wrong(`--kind must be ${listed(MESSAGE_KINDS)}.`);
  const agent = words.agent ?? 'generic';
  if (!isAgentId(agent)) throw wrong(`there is no agent "${agent}".`);
  for (const name of SPECIAL)
    if (words[name] !== undefined && !CARRIED[kind].includes(name)) throw wrong(`${kind} does not take --${name}.`);
  const text = words.text ?? rest.join(' ');
  const base = {
    session,
    agent,
    kind,
    text,
    automated: false,
    ...(words.incident && { incident: words.incident }),
    ...(words.expires !== undefined && { expiresIn: expiryOf(words.expires) }),
  };
  switch (kind) {
    case 'nudge':
    case 'gate':
    case 'checkpoint':
    case 'stop':
      return { ...base, text: given(text) };
    case 'reassign': {
      const task = { to: words.to ?? null, avoid: words.avoid ?? [], prompt: words.prompt ?? given(text) };
      return { ...base, text: given(text), task };
    }
    case 'restart':
    case 'escalate':
      return { ...base, restart: restartOf(kind, words, text) };
    case 'block':
      return { ...base, text: given(text), call: callOf(words.call) };
  }
}

function restartOf(kind: 'restart' | 'escalate', words: SendWords, text: string): NonNullable<MessageDraft['restart']> {
  const mode = MODES.find((one) => one === (words.mode ?? 'resume'));
  if (mode === undefined) throw wrong(`--mode must be ${listed(MODES)}.`);
  const prompt = words.prompt ?? text;
  if (prompt.trim() === '') throw wrong(`${kind} needs a message to the agent (--prompt "…").`);
  if (kind === 'escalate' && words.model === undefined && words.thinking === undefined)
    throw wrong('escalate needs --model or --thinking.');
  return {
    mode,
    prompt,
    ...(words.model !== undefined && { model: words.model }),
    ...(words.thinking !== undefined && { thinking: words.thinking }),
  };
}

function callOf(json: string | undefined): NonNullable<MessageDraft['call']> {
  const example = `--call '{"name":"Bash","args":{"command":"npm test"}}'`;
  if (json === undefined) throw wrong(`block needs the call to refuse (${example}).`);
  const value = parseJson(json);
  if (value === undefined) throw wrong(`--call is not valid JSON. Write it as ${example}.`);
  const { name, args } = fieldsOf(value);
  if (typeof name !== 'string' || name === '' || args === undefined)
    throw wrong(`--call needs name and args: ${example}.`);
  return { name, args };
}

function expiryOf(seconds: string): number {
  const value = Number(seconds);
  if (seconds.trim() !== '' && value > 0 && value <= LONGEST_EXPIRY) return value * 1000;
  throw wrong(`--expires must be a number of seconds up to ${LONGEST_EXPIRY}.`);
}

function given(text: string): string {
  if (text.trim() === '') throw wrong('the text is missing (--text "…").');
  return text;
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

function wrong(what: string): UsageError {
  return new UsageError('usage', `unstuck inbox send: ${what}`);
}
