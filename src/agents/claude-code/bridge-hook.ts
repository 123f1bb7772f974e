import { join } from 'node:path';
import { type HookAnswer, type HookForm, type HookRequest, SILENT } from '../../inbox/hook-form';
import { markOf } from '../../inbox/mark';
import type { InboxMessage } from '../../model';

/**
 * The hook events of Claude Code that carry messages (measured with 2.1.329):
 *
 * - `SessionStart`: text at the head of the first request; also says which file to watch
 * - `UserPromptSubmit`: text with the prompt
 * - `PreToolUse`: can refuse a call before it runs
 * - `PostToolBatch`: text in the next request, after every batch, also after failed and refused calls (`PostToolUse` is not called for those)
 * - `Stop`: the turn goes on with the text
 * - `FileChanged`: wakes an idle agent, in interactive sessions only
 */
export const CLAUDE_HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolBatch',
  'Stop',
  'FileChanged',
] as const;
export type ClaudeHookEvent = (typeof CLAUDE_HOOK_EVENTS)[number];

/**
 * Characters of one answer. Longer ones Claude Code saves to a file and shows only their beginning (10,000 according to its documentation),
 * and the mark stands at the end.
 */
const LONGEST_ANSWER = 9_000;
const BETWEEN = '\n\n';

type Fields = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export const claudeHookForm: HookForm = {
  agent: 'claude-code',

  read(event, payload, env): HookRequest | null {
    const given = fields(payload);
    const session = text(given['session_id']) ?? text(env['CLAUDE_CODE_SESSION_ID']);
    if (session === null || !isHookEvent(event)) return null;
    // In print mode an answer of FileChanged is lost: taking a message there would lose it.
    const interactive = env['CLAUDE_CODE_ENTRYPOINT'] === 'cli';
    if (event === 'FileChanged' && !interactive) return null;
    // A sub-agent's calls come with the session of its parent. What is for the parent is not for it.
    const subAgent = text(given['agent_id']);
    return {
      sessions: [subAgent === null ? session : `agent-${subAgent}`],
      folders: [text(env['CLAUDE_PROJECT_DIR']), text(given['cwd'])].filter((folder) => folder !== null),
      choose: (waiting) =>
        choose(
          event,
          given,
          waiting.filter((message) => message.agent === 'claude-code'),
        ),
      watches: event === 'SessionStart' && interactive && subAgent === null,
      ...(event === 'FileChanged' ? { ready: (read) => isIdle(session, env, read) } : {}),
      // An interactive session outlives its turn: there the verdict comes as a message and wakes it.
      ends: event === 'Stop' && !interactive && subAgent === null,
    };
  },

  answer(event, messages, watch): HookAnswer {
    return isHookEvent(event) ? answer(event, messages, watch) : SILENT;
  },
};

/**
 * A message that FileChanged takes in the middle of a turn arrives no sooner than by the next tool call, but could not be taken back any more.
 * So it is left to that call while Claude Code's own registry says that the session is busy or waits for its user.
 */
function isIdle(session: string, env: Environment, read: (path: string) => string | null): boolean {
  const home = text(env['CLAUDE_CONFIG_DIR']) ?? join(text(env['HOME']) ?? '', '.claude');
  const pid = text(env['CLAUDE_PID']) ?? '';
  if (!/^\d+$/.test(pid)) return true;
  try {
    const known = fields(JSON.parse(read(join(home, 'sessions', `${pid}.json`)) ?? ''));
    return known['sessionId'] !== session || (known['status'] !== 'busy' && known['status'] !== 'waiting');
  } catch {
    return true;
  }
}

function isHookEvent(event: string): event is ClaudeHookEvent {
  return (CLAUDE_HOOK_EVENTS as readonly string[]).includes(event);
}

function choose(event: ClaudeHookEvent, payload: Fields, waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  const stops = waiting.filter((message) => message.kind === 'stop');
  const texts = waiting.filter(isText);
  switch (event) {
    case 'SessionStart':
    case 'UserPromptSubmit':
    case 'FileChanged':
      return fitting(texts);
    case 'PreToolUse': {
      const call = canonicalCall(text(payload['tool_name']) ?? '', payload['tool_input']);
      const match = waiting.find(
        (message) =>
          message.kind === 'block' && message.call && canonicalCall(message.call.name, message.call.args) === call,
      );
      return match ? [match] : [];
    }
    case 'PostToolBatch':
      return stops.length > 0 ? stops : fitting(texts);
    case 'Stop':
      // The turn ends by itself, which is all that a stop asks for: taken, so that it does not end the next turn.
      if (stops.length > 0) return stops;
      // Once a turn: an agent that goes on because of us is not held again, but by a gate that it failed once more, whose number is limited.
      return fitting(payload['stop_hook_active'] === true ? texts.filter((message) => message.kind === 'gate') : texts);
  }
}

function isText(message: InboxMessage): boolean {
  switch (message.kind) {
    case 'nudge':
    case 'gate':
    case 'reassign':
    case 'checkpoint':
      return true;
    case 'stop':
    case 'block':
    case 'restart':
    case 'escalate':
      return false;
  }
}

/** As many of the oldest as fit one answer; the first always does, cut if need be. */
function fitting(messages: readonly InboxMessage[]): readonly InboxMessage[] {
  let length = 0;
  let count = 0;
  for (const message of messages) {
    length += message.text.length + markOf(message.id).length + 1 + BETWEEN.length;
    if (count > 0 && length > LONGEST_ANSWER) break;
    count++;
  }
  return messages.slice(0, count);
}

/**
 * The call as one text, equal for equal calls: keys in order, without the free description that differs from call to call, and without the
 * `false` and `null` that Claude Code fills in for arguments that the model left out.
 */
function canonicalCall(name: string, args: unknown): string {
  const kept = Object.entries(fields(args)).filter(([key, value]) => {
    if (value === false || value === null || value === undefined) return false;
    return !(name === 'Bash' && key === 'description');
  });
  const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.fromEntries(kept) : args;
  return `${name} ${canonicalJson(given)}`;
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
  return `{${entries.join(',')}}`;
}

/** All texts in one, each with its mark at its end, also where it had to be cut. */
function joined(messages: readonly InboxMessage[]): string {
  return messages
    .map(({ text: whole, id }) => {
      if (whole.length <= LONGEST_ANSWER) return whole;
      const mark = markOf(id);
      return `${whole.slice(0, LONGEST_ANSWER - mark.length - 4)} … ${mark}`;
    })
    .join(BETWEEN);
}

function json(value: unknown): HookAnswer {
  return { stdout: JSON.stringify(value), stderr: '', exitCode: 0 };
}

function answer(event: ClaudeHookEvent, messages: readonly InboxMessage[], watch: readonly string[]): HookAnswer {
  const words = joined(messages);
  switch (event) {
    case 'SessionStart': {
      if (messages.length === 0 && watch.length === 0) return SILENT;
      return json({
        hookSpecificOutput: {
          hookEventName: event,
          ...(watch.length > 0 ? { watchPaths: watch } : {}),
          ...(messages.length > 0 ? { additionalContext: words } : {}),
        },
      });
    }
    case 'UserPromptSubmit':
      return messages.length === 0
        ? SILENT
        : json({ hookSpecificOutput: { hookEventName: event, additionalContext: words } });
    case 'PostToolBatch':
      if (messages.length === 0) return SILENT;
      return messages.some((message) => message.kind === 'stop')
        ? json({ continue: false, stopReason: words })
        : json({ hookSpecificOutput: { hookEventName: event, additionalContext: words } });
    case 'PreToolUse':
      return messages.length === 0
        ? SILENT
        : json({
            hookSpecificOutput: {
              hookEventName: event,
              permissionDecision: 'deny',
              permissionDecisionReason: words,
            },
          });
    case 'Stop':
      return messages.length === 0 || messages.some((message) => message.kind === 'stop')
        ? SILENT
        : json({ decision: 'block', reason: words });
    case 'FileChanged':
      return messages.length === 0 ? SILENT : { stdout: '', stderr: `${words}\n`, exitCode: 2 };
  }
}
