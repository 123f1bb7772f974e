import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { generic } from '../../agents/generic/adapter';
import { checkGeneric } from '../../agents/generic/check';
import { latestTime } from '../../agents/shared/decode';
import { type FileProblem, readText } from '../../base/files';
import { coverageWords } from '../../core/words/states/sentence';
import { resolveOptions } from '../../detect/session/options';
import { readTranscript } from '../../engine/scan';
import { signsInLine } from '../../base/util/showable';
import { readArguments } from '../arguments';
import { type Output, UsageError } from '../output';
import { piped } from '../piped';

const LARGEST = 256 * 1024 * 1024;

/** `check <file or ->`: reports line by line what is wrong with a generic transcript. Exit code 1 if anything is. */
export async function checkCommand(args: readonly string[], output: Output, input: Readable): Promise<number> {
  const { values, positionals } = readArguments('check', args, { json: { type: 'boolean' } });
  const file = positionals[0];
  if (!file || positionals.length > 1)
    throw new UsageError('usage', "unstuck check: name one file. See 'unstuck check --help'.");
  const { text, modifiedAt, unseen } = await contentOf(file, input);
  const lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const problems = [
    ...checkGeneric(text, latestTime(Date.now(), modifiedAt)),
    ...unseen.map((why) => ({ line: Math.max(1, lines), why })),
  ];
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

async function contentOf(file: string, input: Readable) {
  const from = await piped('check', [file], input);
  try {
    const [path = file] = from.paths;
    const read = await readText(path, { limit: LARGEST });
    if (!read.ok) throw new UsageError('unreadable', `unstuck check: ${file} ${whyUnread(read.error)}`);
    return { text: read.value, modifiedAt: statSync(path).mtimeMs, unseen: await unseenIn(path) };
  } finally {
    from.remove();
  }
}

/** Returns what the window would report about sessions that it sees only in part. */
async function unseenIn(path: string): Promise<readonly string[]> {
  const transcript = await readTranscript(path, {
    adapter: generic,
    detectors: () => resolveOptions({ preset: 'balanced', detectors: {} }),
    readSmall: () => undefined,
  });
  return transcript.result().sessions.flatMap(({ session, seen, callMarkers, lines, skipped, state }) => {
    const isMonitored = state.kind !== 'not_monitored';
    if (isMonitored && seen >= callMarkers) return [];
    const unknown = skipped.length === 0 ? '' : `, ${skipped.length} of ${counted(lines, 'line')} skipped`;
    const end = isMonitored ? '' : ', so the agent is not monitored';
    return [`session "${session.slice(0, 60)}": ${coverageWords(seen, callMarkers)}${unknown}${end}`];
  });
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
