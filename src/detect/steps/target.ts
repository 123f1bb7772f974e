import type { ToolCallEvent } from '../../core/model';
import { hashOf } from '../../base/util/hash';

/** Programs that run the agent's own code: another file is another attempt, not another input. */
const RUNS_CODE = new Set(
  'python python2 python3 ipython node deno bun tsx ts-node ruby perl php java bash sh zsh pwsh go cargo npm npx pnpm yarn pip pip3 uv poetry make cmake mvn gradle gcc g++ clang cc rustc tsc pytest jest vitest apt apt-get brew conda docker git curl wget cd export sudo source .'.split(
    ' ',
  ),
);
/** Longer lines are scripts, not a call of one program. Characters. */
const LONGEST = 1000;

/** Subject of a call, as numbers: `program` is the tool, or the program of the last command; `target` is the file, or the words of its arguments. */
export interface Target {
  readonly program: number;
  /** 0 where the call names no target. */
  readonly target: number;
}

export function targetOf({ name, command, target }: ToolCallEvent): Target {
  if (target !== undefined) return { program: hashOf(name) | 0, target: hashOf(`${name} ${target}`) | 0 || 1 };
  if (command === undefined) return { program: hashOf(name) | 0, target: 0 };
  const tail = command.trimEnd();
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  if (line.length > LONGEST) return { program: hashOf(name) | 0, target: 0 };
  const last = lastCommand(line);
  const [program = '', ...words] = last.split(/\s+/);
  // A file or an address: a bare word or number may just as well be the value of an option.
  const targets = words.filter((word) => /[./]/.test(word) && !word.startsWith('-') && !/^\d?[<>]/.test(word));
  const isKnown = program !== '' && !RUNS_CODE.has(program) && targets.length > 0;
  return {
    program: hashOf(program || name) | 0,
    target: isKnown ? hashOf(`${program} ${targets.join(' ')}`) | 0 || 1 : 0,
  };
}

/** Returns the text after the last `&&`, `||` or `;` of a line, and before its pipe. */
function lastCommand(line: string): string {
  const start = Math.max(behindLast(line, '&&'), behindLast(line, '||'), behindLast(line, ';'));
  const pipe = line.indexOf('|', start);
  return line.slice(start, pipe < 0 ? line.length : pipe).trim();
}

function behindLast(line: string, sign: string): number {
  const at = line.lastIndexOf(sign);
  return at < 0 ? 0 : at + sign.length;
}
