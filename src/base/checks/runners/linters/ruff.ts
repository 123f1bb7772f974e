import { type Complaint, distinct, failure, type OutputParser, spot, spotIn } from '../lines';

const CODE = String.raw`(?:[A-Z]{1,4}\d{2,4}|[a-z]+(?:-[a-z]+)+:?)`;
const CONCISE = new RegExp(String.raw`^(\S.*?):(\d+):(\d+): (${CODE} .+)$`);
const FULL = new RegExp(String.raw`^(${CODE} .+)$`);
const GROUPED = new RegExp(String.raw`^\s+(\d+):(\d+) (${CODE} .+)$`);

/** Parses the output of ruff, in its full, concise and grouped forms. */
export const parseRuff: OutputParser = (lines) => {
  if (!lines.some((line) => /^Found \d+ errors?(?:\.| \()/.test(line))) return null;
  const failures: Complaint[] = [];
  let file = '';
  for (const [index, line] of lines.entries()) {
    const concise = CONCISE.exec(line);
    const grouped = GROUPED.exec(line);
    if (concise) failures.push(failure(words(concise[4]), spot(concise[1], concise[2], concise[3])));
    else if (grouped && file !== '') failures.push(failure(words(grouped[3]), spot(file, grouped[1], grouped[2])));
    else if (/^\S.*\.\w{1,6}:$/.test(line)) file = line.slice(0, -1);
    else {
      const next = lines[index + 1] ?? '';
      const full = /^\s*--> /.test(next) ? FULL.exec(line) : null;
      if (full) failures.push(failure(words(full[1]), spotIn(next)));
    }
  }
  return failures.length === 0 ? null : { runner: 'ruff', failures: distinct(failures) };
};

function words(text: string | undefined): string {
  return (text ?? '').replace(/ \[\*\]/, '');
}
