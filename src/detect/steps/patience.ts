import type { DetectorOptions, ToolCallEvent } from '../../core/model';
import { each } from '../../core/rules/common';
import { classifyCommand } from '../../base/checks/command';

const MINUTE = 60_000;
/** Minutes of silence while a sub-agent works, or while a person may be asked for permission, which no line of the transcript shows. */
export const ASKED_MINUTES = each(30, 60, 120);

/** Time for which the agent may be silent, with the reason for a person. */
export interface Patience {
  /** Milliseconds; Infinity for no limit. */
  readonly ms: number;
  /** Plural, for "Builds and tests have 20 min". */
  readonly what: string;
}

/** Commands other than checks that take minutes by nature: they fetch, install, or build images. */
const LONG =
  /\b(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|conda|gem|bundle|composer|brew|apt|apt-get|dnf|yum|apk|pacman|cargo|go) (?:-\S+ ){0,9}(?:i|ci|install|add|update|upgrade|sync|fetch|download|mod)\b|\b(?:terraform|pulumi|helm|ansible-playbook)\b|\bgit (?:clone|lfs)\b/;
/** The rest of a line that works with images. */
const CONTAINERS = /\b(?:docker|podman|buildah)\b(.*)/g;
const ON_IMAGES = /\b(?:build|pull|push|up|run)\b/;
const SLEEP = /\bsleep\s+(\d+(?:\.\d+)?)([smh]?)/g;
const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };
/** Arguments that state how long a call may take, in milliseconds. */
const MILLISECONDS = ['timeout_ms', 'timeoutMs', 'yield_time_ms', 'wait_ms', 'block_until_ms'];
/** The same in seconds. */
const IN_SECONDS = ['timeout_seconds', 'timeoutSeconds', 'timeout_sec', 'duration', 'wait_seconds', 'max_wait'];
/** Time beyond a call's own limit before it counts as late. */
const SLACK = MINUTE;
/** Claude Code ends a command after ten minutes, whatever limit the command requests. */
const LONGEST = 10 * MINUTE + SLACK;
/** Arguments of its commands. */
const OF_BASH = new Set(['command', 'description', 'timeout', 'run_in_background', 'dangerouslyDisableSandbox']);

/**
 * Returns how long a pending call may be silent: tools, builds and tests have their minutes, a limit that the call itself declares is added, and a
 * call that may first need a person's permission gets more.
 */
export function patienceFor(call: ToolCallEvent, options: DetectorOptions, mayAsk: boolean): Patience {
  const tool = minutesOf(options, 'tool');
  // the question itself waits for a person
  if (call.kind === 'asked') return { ms: Number.POSITIVE_INFINITY, what: 'questions to you' };
  const asked = ASKED_MINUTES[options.preset] * MINUTE;
  // another agent works there, and its own transcript shows whether it is working
  if (call.kind === 'delegated') return { ms: Math.max(asked, tool), what: 'sub-agents' };
  const own = ownLimit(call);
  if (mayAsk && endsByItself(call))
    return { ms: Math.max(asked, tool, own), what: 'calls that may need your permission' };
  if (isBuild(call)) return { ms: Math.max(minutesOf(options, 'build'), own), what: 'builds and tests' };
  return { ms: Math.max(tool, own), what: 'calls of this kind' };
}

/** Returns the longest time that a call sets for itself, with some slack, in milliseconds; 0 where it sets none. */
function ownLimit(call: ToolCallEvent): number {
  const declared = declaredLimit(call);
  return declared > 0 ? declared + SLACK : 0;
}

/**
 * Returns the time after which a call that its agent ends on its own can no longer be running, in milliseconds: the person is being asked for
 * permission. Infinity for other calls.
 */
export function endedAfter(call: ToolCallEvent): number {
  return endsByItself(call) ? Math.max(LONGEST, ownLimit(call)) : Number.POSITIVE_INFINITY;
}

/** Returns a limit of `stall` in milliseconds. */
export function minutesOf({ numbers, warn }: DetectorOptions, name: 'tool' | 'build'): number {
  return (numbers[name] ?? warn) * MINUTE;
}

function isBuild(call: ToolCallEvent): boolean {
  const { command } = call;
  return command !== undefined && (classifyCommand(command).kind === 'check' || isLong(command.slice(0, 2000)));
}

function isLong(command: string): boolean {
  return LONG.test(command) || [...command.matchAll(CONTAINERS)].some(([, rest = '']) => ON_IMAGES.test(rest));
}

/** Returns the time limit that a call declares, in milliseconds; 0 where it declares none. */
export function declaredLimit(call: ToolCallEvent): number {
  let limit = 0;
  if (call.command !== undefined) {
    for (const [, length = '0', unit = ''] of call.command.slice(0, 2000).matchAll(SLEEP)) {
      limit += Number(length) * (SECONDS[unit] ?? 1) * 1000;
    }
  }
  if (typeof call.args !== 'object' || call.args === null) return limit;
  const args = call.args as Record<string, unknown>;
  const number = (name: string): number => (typeof args[name] === 'number' && args[name] > 0 ? args[name] : 0);
  for (const name of MILLISECONDS) limit = Math.max(limit, number(name));
  for (const name of IN_SECONDS) limit = Math.max(limit, number(name) * 1000);
  // waits of less than a second or more than an hour, in seconds, do not occur: the size shows the unit
  const timeout = number('timeout');
  return Math.max(limit, timeout > 3600 ? timeout : timeout * 1000);
}

/**
 * Returns whether this is one of Claude Code's tools that it ends itself after minutes, or that take no time. None of them runs for long: if one
 * stays pending, the person is being asked for permission, for which the transcript has no line (seen in real runs: 19 and 44 minutes).
 */
function endsByItself({ name, args }: ToolCallEvent): boolean {
  if (typeof args !== 'object' || args === null) return false;
  switch (name) {
    case 'Bash':
      return 'command' in args && Object.keys(args).every((name) => OF_BASH.has(name));
    case 'Edit':
    case 'Write':
    case 'MultiEdit':
    case 'Read':
      return 'file_path' in args;
    case 'Grep':
    case 'Glob':
      return 'pattern' in args;
    case 'WebSearch':
      return 'query' in args;
    case 'WebFetch':
      return 'url' in args && 'prompt' in args;
    default:
      return false;
  }
}
