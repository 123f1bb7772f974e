import { type Complaint, distinct, failure, type ParsedOutput, spot, spotIn } from './lines';
import { isWrapper } from './wrapper-lines';

/** gcc, javac, flake8 and many others: `file:line:column: error: words`. */
const COMPLAINT =
  /^((?:[A-Za-z]:)?[^\s:][^:\n]{0,300}):(\d{1,7})(?::(\d{1,7}))?: (?:(fatal error|error|warning|note|info|[A-Z]\d{2,4})[: ]\s*)?(\S.*)$/;
/** The same form without a colon: markdownlint. */
const PLAIN_COMPLAINT = /^([^\s:][^:\n]{0,300}):(\d{1,7})(?::(\d{1,7}))? (error|warning) (\S.*)$/;
/** Compilers that draw a frame: the message is in the line above, the place in the frame. */
const FRAME = /^\s*(?:╭─|,-)\[(.+?):(\d+):(\d+)\]/;
const WORDS = /\b(?:[a-z]*error|[a-z]*exception|fail|failed|failure|fatal|panic|panicked|assert|assertion)\b/i;
/** Stack frames, and source lines under a complaint. */
const ECHO = /^\s*(?:at |\d+ \||\||> ?\d)/;
const NO_NEWS = /\b(?:0|no) (?:errors?|fail|failed|failures)\b|^\s*\d+ (?:passed|passing)\b/;
/** Lines of tests that passed; such a test may be named after an error. */
const FINE = /^\s*(?:✓|✔|√|ok\b|PASS\b|PASSED\b|\(pass\))|\b(?:ok|PASSED|passed)\s*(?:\(?[\d.]+ ?m?s\)?)?$/;
/** Log lines and warnings, which decide nothing. */
const LOGGED =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|(?:\[|<)?(?:info|debug|trace|warn|warning|note|hint|help)\b)/i;
const ONLY_WARNS = /\bwarnings?\b|\bdeprecat/i;
const MOST = 10;

/** Parses the output of an unknown program: places with a complaint, or otherwise the lines that name an error. */
export function parseGeneric(lines: readonly string[]): ParsedOutput {
  const errors: Complaint[] = [];
  const others: Complaint[] = [];
  for (const [index, line] of lines.entries()) {
    const frame = FRAME.exec(line);
    if (frame) {
      const above = lines[index - 1] ?? '';
      if (/^\s*[⚠!]/.test(above)) continue;
      errors.push(failure(above.replace(/^\s*[×x✖]\s*/, ''), spot(frame[1], frame[2], frame[3])));
      continue;
    }
    const found = COMPLAINT.exec(line) ?? PLAIN_COMPLAINT.exec(line);
    if (!found) continue;
    const [, file, at, column, level = '', words = ''] = found;
    if (!spotIn(`${file}:${at}`)) continue;
    if (level === 'note' || level === 'info' || level === 'warning' || /^\w*warning\b/i.test(words)) continue;
    (level === '' ? others : errors).push(failure(words, spot(file, at, column)));
  }
  // if any line is marked as an error, unmarked lines of the form `place: words` are only a listing
  const failures = errors.length > 0 ? errors : others;
  if (failures.length > 0) return { runner: 'generic', failures: distinct(failures) };
  const named = lines.filter(namesError).slice(0, MOST);
  return { runner: 'generic', failures: distinct(named.map((line) => failure(line.trim(), spotIn(line)))) };
}

function namesError(line: string): boolean {
  return (
    line.length < 400 &&
    WORDS.test(line) &&
    !ECHO.test(line) &&
    !NO_NEWS.test(line) &&
    !FINE.test(line) &&
    !LOGGED.test(line) &&
    !ONLY_WARNS.test(line) &&
    !isWrapper(line)
  );
}
