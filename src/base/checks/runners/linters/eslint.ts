import { type Complaint, distinct, failure, type OutputParser, spot } from '../lines';

const ROW = /^\s+(\d{1,7}):(\d{1,7})\s+(error|warning)\s+(\S.*)$/;
const SUMMARY = /^\S+ \d+ problems? \(\d+ errors?, \d+ warnings?\)/;

/** Parses ESLint's `stylish` form, which stylelint and others share. Warnings do not fail a gate and are left out if there are errors. */
export const parseEslint: OutputParser = (lines) => {
  if (!lines.some((line) => SUMMARY.test(line)) && !lines.some((line) => ROW.test(line))) return null;
  const errors: Complaint[] = [];
  const warnings: Complaint[] = [];
  let file = '';
  for (const line of lines) {
    const row = ROW.exec(line);
    if (!row) {
      if (/^\S/.test(line)) file = /^(?:[A-Za-z]:)?\S.*\.\w{1,8}$/.test(line) ? line.trim() : '';
      continue;
    }
    if (file === '') continue;
    const [, at, column, level, words = ''] = row;
    // the rule is in its own column at the end
    const message = words.trimEnd().replace(/(?<!\s)\s{2,}(\S+)$/, ' ($1)');
    (level === 'error' ? errors : warnings).push(failure(message, spot(file, at, column)));
  }
  const found = errors.length > 0 ? errors : warnings;
  return found.length === 0 ? null : { runner: 'eslint', failures: distinct(found) };
};
