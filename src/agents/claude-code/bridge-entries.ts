import { join, sep } from 'node:path';
import type { FoundHook, HookEntry } from '../shared/hook-settings';
import { CLAUDE_HOOK_EVENTS, type ClaudeHookEvent } from './bridge-hook';

/** Seconds after which Claude Code gives up on our hook. */
const TIMEOUT = 5;
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
 * `asyncRewake` stands at FileChanged alone: in print mode, hooks of other events that carry it run synchronously, and a waiting one would
 * freeze the agent.
 */
export function hookEntries(hookFolder: string): readonly HookEntry[] {
  return CLAUDE_HOOK_EVENTS.map((event) => ({
    event,
    command: {
      type: 'command',
      command: hookCommand(hookFolder, event),
      timeout: TIMEOUT,
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
  return hook.event === entry.event && unlimited && [...keys].every((key) => hook.command[key] === entry.command[key]);
}
