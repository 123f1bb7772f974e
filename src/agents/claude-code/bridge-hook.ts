import { join } from 'node:path';
import { type HookAnswer, type Look, type Readiness, SILENT } from '../inbox/hook/hook-form';
import type { InboxMessage } from '../../core/model';
import { hookForm } from '../shared/connect/hook-frame';
import {
  answerOf,
  atTurnEnd,
  canonicalJson,
  contextAnswer,
  fittingTexts,
  joinedMessages,
  refusing,
  stopsIn,
  filledText,
} from '../shared/connect/hook-messages';
import { fieldsOf, type JsonRecord, parseJson } from '../../base/util/json';
import { moveIn } from './whose-move';

/**
 * The hook events of Claude Code that carry messages (measured with 2.1.329):
 *
 * - `SessionStart`: says which file to watch. It delivers nothing: a person who quits before the first prompt would lose the text
 * - `UserPromptSubmit`: text with the prompt
 * - `PreToolUse`: can refuse a call before it runs
 * - `PostToolBatch`: text in the next request, after every batch, even after failed and refused calls (`PostToolUse` is not called for those)
 * - `Stop`: the turn continues with the text
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
 * Milliseconds after Claude Code has become idle during which its transcript may not yet show why: it writes its lines together, about 100 ms later
 * (measured with 2.1.329).
 */
const SETTLES = 600;

type Environment = Readonly<Record<string, string | undefined>>;

export const claudeHookForm = hookForm<ClaudeHookEvent>({
  agent: 'claude-code',
  events: CLAUDE_HOOK_EVENTS,

  request(event, given, env) {
    const session = filledText(given['session_id']);
    if (session === null) return null;
    // In print mode an answer to FileChanged is lost, and so would be a message taken there.
    const interactive = env['CLAUDE_CODE_ENTRYPOINT'] === 'cli';
    if (event === 'FileChanged' && !interactive) return null;
    // A sub-agent's calls come with the session of its parent, whose messages are not meant for it.
    const subAgent = filledText(given['agent_id']);
    return {
      sessions: [subAgent === null ? session : `agent-${subAgent}`],
      folders: [filledText(env['CLAUDE_PROJECT_DIR']), filledText(given['cwd'])].filter((folder) => folder !== null),
      watches: event === 'SessionStart' && interactive && subAgent === null,
      ...(event === 'FileChanged' ? { ready: (look) => readiness(session, given, env, look) } : {}),
      // An interactive session outlives its turn: there the verdict comes as a message and wakes it.
      ends: event === 'Stop' && !interactive && subAgent === null,
    };
  },

  choose,
  answer,
});

/**
 * Decides whether FileChanged may take a message. In the middle of a turn the message would arrive no sooner than with the next tool call, and could
 * no longer be withdrawn. So it is left to that call while Claude Code's own registry says that the session is busy or waits for its user. A session
 * whose person interrupted it is idle too, but nothing wakes it: the message comes with the person's next prompt.
 */
function readiness(session: string, given: JsonRecord, env: Environment, look: Look): Readiness {
  const known = registered(session, env, look);
  if (known['status'] === 'waiting') return 'not_yet';
  const move = moveIn(look.end(filledText(given['transcript_path']) ?? '') ?? '');
  switch (move) {
    case 'interrupted':
      return 'no';
    case 'ended':
      // A parent is listed as busy while a sub-agent works in the background, even after its own turn has ended.
      return 'yes';
    case 'unknown': {
      const since = known['statusUpdatedAt'];
      const settled = typeof since !== 'number' || Math.abs(look.now() - since) >= SETTLES;
      return known['status'] === 'busy' || !settled ? 'not_yet' : 'yes';
    }
  }
}

/** Returns the registry's record of this session; empty if there is none. */
function registered(session: string, env: Environment, look: Look): JsonRecord {
  const home = filledText(env['CLAUDE_CONFIG_DIR']) ?? join(filledText(env['HOME']) ?? '', '.claude');
  const pid = filledText(env['CLAUDE_PID']) ?? '';
  if (!/^\d+$/.test(pid)) return {};
  const known = fieldsOf(parseJson(look.small(join(home, 'sessions', `${pid}.json`)) ?? ''));
  return known['sessionId'] === session ? known : {};
}

function choose(
  event: ClaudeHookEvent,
  payload: JsonRecord,
  waiting: readonly InboxMessage[],
): readonly InboxMessage[] {
  switch (event) {
    case 'SessionStart':
      return [];
    case 'UserPromptSubmit':
    case 'FileChanged':
      return fittingTexts(waiting);
    case 'PreToolUse':
      return refusing(waiting, filledText(payload['tool_name']) ?? '', payload['tool_input'], canonicalCall);
    case 'PostToolBatch': {
      const stops = stopsIn(waiting);
      return stops.length > 0 ? stops : fittingTexts(waiting);
    }
    case 'Stop':
      return atTurnEnd(waiting);
  }
}

/**
 * Returns the call as one text that is equal for equal calls: keys in order, without the free-text description, which varies between calls, and
 * without the `false` and `null` that Claude Code fills in for arguments that the model left out.
 */
function canonicalCall(name: string, args: unknown): string {
  const kept = Object.entries(fieldsOf(args)).filter(([key, value]) => {
    if (value === false || value === null || value === undefined) return false;
    return !(name === 'Bash' && key === 'description');
  });
  const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.fromEntries(kept) : args;
  return `${name} ${canonicalJson(given)}`;
}

function answer(event: ClaudeHookEvent, messages: readonly InboxMessage[], watch: readonly string[]): HookAnswer {
  const words = joinedMessages(messages);
  const stops = messages.some((message) => message.kind === 'stop');
  switch (event) {
    case 'SessionStart':
      return answerOf({
        hookSpecificOutput: {
          hookEventName: event,
          watchPaths: watch,
        },
      });
    case 'UserPromptSubmit':
      return contextAnswer(event, words);
    case 'PostToolBatch':
      return stops ? answerOf({ continue: false, stopReason: words }) : contextAnswer(event, words);
    case 'PreToolUse':
      return answerOf({
        hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: words },
      });
    case 'Stop':
      return stops ? SILENT : answerOf({ decision: 'block', reason: words });
    case 'FileChanged':
      return { stdout: '', stderr: `${words}\n`, exitCode: 2 };
  }
}
