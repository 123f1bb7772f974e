import { fail, ok, type Result } from '../../base/util/result';
import type { Gate } from './gate';

/** Gates that a user wrote into the machine's settings: those that name this folder, otherwise those that name none. */
export interface OwnGates {
  readonly gates: readonly Gate[];
  /** They name this very folder: writing that down was the consent. */
  readonly forThisFolder: boolean;
}

const ID = /^[A-Za-z0-9][\w .:-]{0,39}$/;
/** Shortest and longest time limit, seconds. */
const [SHORTEST, LONGEST] = [1, 3_600];

/**
 * Reads the setting `unstuck.gates.commands`. The sentence of a failure names the entry.
 *
 * @param folder absolute path of a workspace folder, without a slash at its end.
 */
export function gatesFromSettings(value: unknown, folder: string, timeoutMs: number): Result<OwnGates, string> {
  if (value === undefined || value === null) return ok({ gates: [], forThisFolder: false });
  if (!Array.isArray(value)) return fail('`unstuck.gates.commands` is not a list.');
  const named: Gate[] = [];
  const general: Gate[] = [];
  for (const [index, entry] of value.entries()) {
    const where = `Entry ${index + 1} of \`unstuck.gates.commands\``;
    if (typeof entry !== 'object' || entry === null) return fail(`${where} is not an object.`);
    const { name, command, folder: of, cwd, needs, timeout, suggestion } = entry as Record<string, unknown>;
    if (typeof name !== 'string' || !ID.test(name))
      return fail(`${where} needs a name of at most 40 letters and digits.`);
    if (typeof command !== 'string' || command.trim() === '' || /[\r\n\0]/.test(command)) {
      return fail(`${where} (${name}) needs a command on one line.`);
    }
    if (of !== undefined && typeof of !== 'string')
      return fail(`The folder of ${where.toLowerCase()} (${name}) is not a path.`);
    if (cwd !== undefined && !isInside(cwd))
      return fail(`The \`cwd\` of entry ${index + 1} (${name}) points outside its folder.`);
    if (needs !== undefined && !(Array.isArray(needs) && needs.every((need) => typeof need === 'string'))) {
      return fail(`The needs of entry ${index + 1} (${name}) are not a list of names.`);
    }
    const seconds = typeof timeout === 'number' && Number.isFinite(timeout) ? timeout : timeoutMs / 1000;
    const gate: Gate = {
      id: name,
      name,
      command: command.trim(),
      needs: needs ?? [],
      timeoutMs: Math.min(LONGEST, Math.max(SHORTEST, seconds)) * 1000,
      ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
      ...(typeof suggestion === 'string' && suggestion.trim() !== '' && { suggestion }),
    };
    if (of === undefined) general.push(gate);
    else if (withoutSlash(of) === withoutSlash(folder)) named.push(gate);
  }
  return ok(named.length > 0 ? { gates: named, forThisFolder: true } : { gates: general, forThisFolder: false });
}

function isInside(path: unknown): boolean {
  return typeof path === 'string' && !/^[\\/]|^[A-Za-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(path);
}

function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && (path[end - 1] === '/' || path[end - 1] === '\\')) end--;
  return path.slice(0, end);
}
