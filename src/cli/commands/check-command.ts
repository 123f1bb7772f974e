import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { checkGeneric } from '../../agents/generic/check';
import { latestTime } from '../../agents/shared/decode';
import { type FileProblem, readText } from '../../base/files';
import { signsInLine } from '../../base/util/showable';
import { readArguments } from '../arguments';
import { type Output, UsageError } from '../output';
import { piped } from '../piped';

const LARGEST = 256 * 1024 * 1024;

/** `check <file or ->`: says line by line what is wrong with a generic transcript. Exit code 1 when something is. */
export async function checkCommand(
  args: readonly string[],
  output: Output,
  now: () => number,
  input: Readable,
): Promise<number> {
  const { values, positionals } = readArguments('check', args, { json: { type: 'boolean' } });
  const file = positionals[0];
  if (!file || positionals.length > 1)
    throw new UsageError('usage', "unstuck check: name one file. See 'unstuck check --help'.");
  const { text, modifiedAt } = await textOf(file, input);
  const problems = checkGeneric(text, latestTime(now(), modifiedAt));
  const lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  for (const problem of problems) {
    if (values.json) output.line(JSON.stringify({ kind: 'problem', file, line: problem.line, why: problem.why }));
    else output.line(`${file}:${problem.line}: ${signsInLine(problem.why)}`);
  }
  if (values.json) output.line(JSON.stringify({ kind: 'check', file, lines, problems: problems.length }));
  else
    output.line(
      problems.length === 0
        ? `${file}: ${counted(lines, 'line')}, no problems`
        : `${file}: ${counted(problems.length, 'problem')} in ${counted(lines, 'line')}`,
    );
  return problems.length > 0 ? 1 : 0;
}

async function textOf(file: string, input: Readable): Promise<{ text: string; modifiedAt: number }> {
  const from = await piped('check', [file], input);
  try {
    const [path = file] = from.paths;
    const read = await readText(path, { limit: LARGEST });
    if (!read.ok) throw new UsageError('unreadable', `unstuck check: ${file} ${whyUnread(read.error)}`);
    return { text: read.value, modifiedAt: statSync(path).mtimeMs };
  } finally {
    from.remove();
  }
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

function whyUnread({ reason, code }: FileProblem): string {
  switch (reason) {
    case 'missing':
    case 'not_regular':
    case 'link':
      return 'is not a readable file.';
    case 'too_large':
      return 'is larger than 256 MB. Check a part of it.';
    case 'no_permission':
    case 'too_many_open':
    case 'other':
      return `cannot be read (${code}).`;
  }
}
