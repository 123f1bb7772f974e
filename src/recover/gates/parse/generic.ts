import type { GateFailure } from '../../../model';
import { distinct, failure, type ParsedOutput, spot, spotIn } from './lines';

/** gcc, mypy, flake8 and many more: `file:line:column: error: words`. */
const COMPLAINT =
  /^((?:[A-Za-z]:)?[^\s:][^:\n]{0,300}):(\d{1,7})(?::(\d{1,7}))?: (?:(fatal error|error|warning|note|info|[A-Z]\d{2,4})[: ]\s*)?(\S.*)$/;
/** Compilers that draw a frame: the words above, the place in it. */
const FRAME = /^\s*(?:╭─|,-)\[(.+?):(\d+):(\d+)\]/;
const WORDS = /\b(?:error|exception|fail|failed|failure|fatal|panic)\b/i;
const NO_NEWS =
  /\b(?:0|no) (?:errors|fail|failed|failures)\b|^npm (?:ERR!|error) (?:code|path|Lifecycle|command|A complete log|at location|in workspace)/;
const MOST = 10;

/** What the output of an unknown program says: places with a complaint, else the lines that name an error. */
export function parseGeneric(lines: readonly string[]): ParsedOutput {
  const failures: GateFailure[] = [];
  for (const [index, line] of lines.entries()) {
    const frame = FRAME.exec(line);
    if (frame) {
      const above = (lines[index - 1] ?? '').replace(/^\s*[×x✖⚠!]\s*/, '').trim();
      failures.push(failure(above, spot(frame[1], frame[2], frame[3])));
      continue;
    }
    const found = COMPLAINT.exec(line);
    if (!found || !spotIn(line) || found[4] === 'note' || found[4] === 'info' || found[4] === 'warning') continue;
    failures.push(failure(found[5] ?? '', spot(found[1], found[2], found[3])));
  }
  if (failures.length > 0) return { runner: 'generic', failures: distinct(failures) };
  const named = lines.filter((line) => line.length < 400 && WORDS.test(line) && !NO_NEWS.test(line)).slice(0, MOST);
  return { runner: 'generic', failures: distinct(named.map((line) => failure(line.trim(), spotIn(line)))) };
}
