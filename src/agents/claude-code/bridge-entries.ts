import { join, sep } from 'node:path';
import type { FoundHook, HookEntry } from '../shared/hook-settings';
import { CLAUDE_HOOK_EVENTS, type ClaudeHookEvent } from './bridge-hook';

/** Seconds after which Claude Code gives up on our hook. */
const TIMEOUT = 5;
/** Seconds beyond the longest wait for the quality gates: to start the runtime, to take the message, to answer. */
const MARGIN = 10;
/** Seconds that the hook waits at the end of a print mode run where nothing else is said: the default of `unstuck.gates.wait`. */
const GATE_WAIT = 120;
/** A shell comment by which we know our own entries, also those of older versions, and by which a person knows what to remove. */
const MARK = '# unstuck';

/**
 * The command of one event. It leaves silently where hook.sh is gone, so that uninstalling the extension never breaks an agent, and then
 * empties standard input as hook.sh does.
 */
export function hookCommand(hookFolder: string, event: ClaudeHookEvent): string {
  const script = quoted(join(hookFolder, 'hook.sh').replaceAll(sep, '/'));
  return `if [ -r ${script} ]; then exec sh ${script} claude-code ${event}; fi; cat >/dev/null ${MARK}`;
}

/** A word of a POSIX shell that stands for exactly this text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * `gateWait`: seconds that the hook may wait for the quality gates when a print mode run ends. Without gates it returns at once all the same.
 *
 * `asyncRewake` stands at FileChanged alone: in print mode, hooks of other events that carry it run synchronously, and a waiting one would
 * freeze the agent.
 */
export function hookEntries(hookFolder: string, gateWait = GATE_WAIT): readonly HookEntry[] {
  return CLAUDE_HOOK_EVENTS.map((event) => ({
    event,
    command: {
      type: 'command',
      command: hookCommand(hookFolder, event),
      timeout: event === 'Stop' && gateWait > 0 ? Math.ceil(gateWait) + MARGIN : TIMEOUT,
      ...(event === 'FileChanged' ? { asyncRewake: true } : {}),
    },
  }));
}

export function isOurs(command: string): boolean {
  return command.trimEnd().endsWith(MARK);
}

export function oursIn(found: readonly FoundHook[]): readonly FoundHook[] {
  return found.filter(({ command }) => typeof command['command'] === 'string' && isOurs(command['command']));
}

/** Are our entries all there, once each, as we write them, and limited by nothing? */
export function areAsWritten(ours: readonly FoundHook[], entries: readonly HookEntry[]): boolean {
  if (ours.length !== entries.length) return false;
  return entries.every((entry) => ours.filter((hook) => isAsWritten(hook, entry)).length === 1);
}

function isAsWritten(hook: FoundHook, entry: HookEntry): boolean {
  const matcher = hook.group['matcher'] ?? '';
  const unlimited = matcher === '' || matcher === '*';
  const keys = new Set([...Object.keys(hook.command), ...Object.keys(entry.command)]);
  const same = (key: string) =>
    hook.command[key] === entry.command[key] || (key === 'timeout' && isLonger(hook, entry));
  return hook.event === entry.event && unlimited && [...keys].every(same);
}

/** More time than is needed does no harm: a shorter wait for gates asks for no new Connect. */
function isLonger(hook: FoundHook, entry: HookEntry): boolean {
  const [there, needed] = [hook.command['timeout'], entry.command['timeout']];
  return entry.event === 'Stop' && typeof there === 'number' && typeof needed === 'number' && there >= needed;
}
