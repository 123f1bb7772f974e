import { basename } from 'node:path';
import type { AgentId } from '../../core/model';
import { agentOf } from '../processes';

/** Programs that run a script, which may start any number of agents. */
const SHELLS = new Set(['sh', 'ash', 'bash', 'dash', 'fish', 'ksh', 'zsh', 'busybox', 'make', 'just']);
const RUNTIMES = new Set(['node', 'bun', 'deno', 'python', 'python3']);

/** Returns the words of a command that name its program: the first, or a runtime and the script that it runs. */
export function programWords(command: readonly string[]): readonly string[] {
  const [first = '', second] = command;
  const runtime = basename(first).replace(/\.exe$/i, '');
  const script = second !== undefined && !second.startsWith('-') && RUNTIMES.has(runtime);
  return script ? [first, second] : [first];
}

/** Returns whether the command starts the agent's own program, by its name or from its package. */
export function isAgentItself(agent: AgentId, command: readonly string[]): boolean {
  return agentOf(command) === agent;
}

/** Returns whether the words start a shell, or another program that runs lines of commands. */
export function startsShell([program = '']: readonly string[]): boolean {
  return SHELLS.has(basename(program));
}

/** Returns whether the command sets this option to this value, as `--name value` or `--name=value`. */
export function hasOption(command: readonly string[], name: string, value: string): boolean {
  return command.some((word, index) => word === `${name}=${value}` || (word === name && command[index + 1] === value));
}

/** Returns the value of an option in the command; undefined if there is none. */
export function optionOf(command: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, word] of command.entries()) {
    if (names.includes(word)) return command[index + 1];
    const name = names.find((one) => word.startsWith(`${one}=`));
    if (name !== undefined) return word.slice(name.length + 1);
  }
  return undefined;
}

/**
 * Returns the command without some options.
 *
 * @param valued names of options with a value
 * @param flags names of options without a value
 */
export function withoutOptions(
  command: readonly string[],
  valued: readonly string[],
  flags: readonly string[],
): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < command.length; index++) {
    const word = command[index] ?? '';
    if (flags.includes(word) || valued.some((name) => word.startsWith(`${name}=`))) continue;
    if (valued.includes(word)) {
      // `--resume` may come without a value.
      if (command[index + 1]?.startsWith('-') === false) index++;
      continue;
    }
    kept.push(word);
  }
  return kept;
}
