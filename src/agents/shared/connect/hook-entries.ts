import { join, sep } from 'node:path';
import type { AgentId } from '../../../core/model';
import type { FoundHook, HookEntry, HookLayout } from './hook-settings';

/** A shell comment that identifies our own entries, even those of older versions, and shows a person what to remove. */
const MARK = '# unstuck';

/**
 * Returns the command of one event. If hook.sh is gone, it empties standard input as hook.sh does and exits silently, so that uninstalling the
 * extension never breaks an agent. For agents that run their hooks with `sh`.
 */
export function hookCommand(hookFolder: string, agent: AgentId, event: string): string {
  const script = scriptIn(hookFolder);
  return `if [ -r ${script} ]; then exec sh ${script} ${agent} ${event}; fi; cat >/dev/null ${MARK}`;
}

/** The same for agents that run their hooks with the user's shell: it means the same to POSIX shells, to fish and to csh. */
export function plainHookCommand(hookFolder: string, agent: AgentId, event: string): string {
  const script = scriptIn(hookFolder);
  return `[ -r ${script} ] && exec sh ${script} ${agent} ${event}; cat >/dev/null ${MARK}`;
}

/** Returns hook.sh as a shell word that stands for exactly this path. */
function scriptIn(hookFolder: string): string {
  const path = join(hookFolder, 'hook.sh').replaceAll(sep, '/');
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

export function isOurs(command: string): boolean {
  return command.trimEnd().endsWith(MARK);
}

export function oursIn(found: readonly FoundHook[], { commandKey }: HookLayout): readonly FoundHook[] {
  return found.filter(({ command }) => {
    const line = command[commandKey];
    return typeof line === 'string' && isOurs(line);
  });
}

/**
 * Returns one text for entries, the same for equal ones. It shows whether the entries in a file are those that were written, perhaps by an earlier
 * version.
 */
export function textOfEntries(entries: readonly HookEntry[] | readonly FoundHook[]): string {
  const each = entries.map(({ event, command }) => JSON.stringify([event, command]));
  return each.sort().join('\n');
}

/** Returns whether Unstuck's entries are all there, once each, as written, and without any restriction. */
export function areAsWritten(ours: readonly FoundHook[], entries: readonly HookEntry[]): boolean {
  if (ours.length !== entries.length) return false;
  return entries.every((entry) => ours.filter((hook) => isAsWritten(hook, entry)).length === 1);
}

function isAsWritten(hook: FoundHook, entry: HookEntry): boolean {
  const matcher = hook.group['matcher'] ?? '';
  const unlimited = matcher === '' || matcher === '*';
  const keys = new Set([...Object.keys(hook.command), ...Object.keys(entry.command)]);
  const same = (key: string) => hook.command[key] === entry.command[key] || isLonger(key, hook, entry);
  return hook.event === entry.event && unlimited && [...keys].every(same);
}

/** Names of a hook's time limit, and of the events at the end of a turn. */
const LIMITS: ReadonlySet<string> = new Set(['timeout', 'timeoutSec']);
const ENDS: ReadonlySet<string> = new Set(['Stop', 'AfterAgent', 'agentStop']);

/** True if the hook has at least the time that it needs. More does no harm: a shorter wait for gates requires no new Connect. */
function isLonger(key: string, hook: FoundHook, entry: HookEntry): boolean {
  if (!LIMITS.has(key) || !ENDS.has(entry.event)) return false;
  const [there, needed] = [hook.command[key], entry.command[key]];
  return typeof there === 'number' && typeof needed === 'number' && there >= needed;
}
