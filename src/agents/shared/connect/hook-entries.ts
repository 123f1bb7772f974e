import { join, sep } from 'node:path';
import type { AgentId } from '../../../core/model';
import type { FoundHook, HookEntry, HookLayout } from './hook-settings';

/** A shell comment by which we know our own entries, also those of older versions, and by which a person knows what to remove. */
const MARK = '# unstuck';

/**
 * The command of one event. It leaves silently where hook.sh is gone, so that uninstalling the extension never breaks an agent, and then
 * empties standard input as hook.sh does. For agents that run their hooks by `sh`.
 */
export function hookCommand(hookFolder: string, agent: AgentId, event: string): string {
  const script = scriptIn(hookFolder);
  return `if [ -r ${script} ]; then exec sh ${script} ${agent} ${event}; fi; cat >/dev/null ${MARK}`;
}

/** The same for agents that run their hooks by the shell of the user: it means the same to POSIX shells, to fish and to csh. */
export function plainHookCommand(hookFolder: string, agent: AgentId, event: string): string {
  const script = scriptIn(hookFolder);
  return `[ -r ${script} ] && exec sh ${script} ${agent} ${event}; cat >/dev/null ${MARK}`;
}

/** hook.sh as a word of a shell that stands for exactly this path. */
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

/** One text for entries, equal for equal ones: whether those in a file are the ones that were written, maybe by an earlier version. */
export function textOfEntries(entries: readonly HookEntry[] | readonly FoundHook[]): string {
  const each = entries.map(({ event, command }) => JSON.stringify([event, command]));
  return each.sort().join('\n');
}

/** Returns whether Unstuck's entries are all there, once each, as written, and limited by nothing. */
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

/** Names of the time limit of a hook, and of the events at the end of a turn. */
const LIMITS: ReadonlySet<string> = new Set(['timeout', 'timeoutSec']);
const ENDS: ReadonlySet<string> = new Set(['Stop', 'AfterAgent', 'agentStop']);

/** More time than is needed does no harm: a shorter wait for gates asks for no new Connect. */
function isLonger(key: string, hook: FoundHook, entry: HookEntry): boolean {
  if (!LIMITS.has(key) || !ENDS.has(entry.event)) return false;
  const [there, needed] = [hook.command[key], entry.command[key]];
  return typeof there === 'number' && typeof needed === 'number' && there >= needed;
}
