import { blocks, type Complaint, distinct, failure, type OutputParser, spot } from '../lines';

const TITLE =
  /^\s*(?:at )?(\S+?)(?::(\d{1,7}):(\d{1,7}))? ((?:lint|format|parse|assist|organizeImports|suppressions|internalError|ci|check|files)\S*)(?: .*)?━{3}$/;
const CHECKED = /^\s*Checked \d{1,9} files? in /;
const FOUND = /^\s*Found (\d{1,9}) errors?\./;

/** Parses the output of Biome. */
export const parseBiome: OutputParser = (lines) => {
  const checked = lines.some((line) => CHECKED.test(line));
  const found = blocks(
    lines,
    (line) => (TITLE.test(line) ? line : null),
    (line) => CHECKED.test(line),
  );
  if (!checked && found.length === 0) return null;
  const errors: Complaint[] = [];
  const warnings: Complaint[] = [];
  for (const { title, body } of found) {
    const [, file, line, column, rule = ''] = TITLE.exec(title) ?? [];
    const message = body.find((one) => /^\s*[×✖!⚠iℹ] \S/.test(one)) ?? '';
    if (/^\s*[iℹ] /.test(message)) continue;
    const where = spot(file, line, column) ?? (file === undefined ? undefined : { file, line: 1 });
    const warns = /^\s*[!⚠] /.test(message);
    (warns ? warnings : errors).push(failure(`${rule} ${message.replace(/^\s*[×✖!⚠] /, '')}`, where));
  }
  const says = Number(FOUND.exec(lines.findLast((line) => FOUND.test(line)) ?? '')?.[1] ?? errors.length);
  // warnings fail a run only with the flag for it
  const strict = says === 0 && lines.some((line) => line.includes('Some warnings were emitted while running'));
  return strict
    ? { runner: 'biome', failures: distinct(warnings), failed: Math.max(1, warnings.length) }
    : { runner: 'biome', failures: distinct(errors), failed: says };
};
