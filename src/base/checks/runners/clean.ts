import type { OutputParser } from './lines';

/**
 * Lines in which linters, formatters and builds say that nothing is wrong, each preceded by a text that it contains, since most outputs hold none of
 * them.
 */
const CLEAN: readonly (readonly [string, string, RegExp])[] = [
  ['ruff', 'All checks passed!', /^All checks passed!$/],
  ['eslint', 'No ESLint warnings', /^\W*No ESLint warnings or errors$/],
  ['oxlint', ' and 0 errors.', /^Found \d{1,9} warnings? and 0 errors\.$/],
  ['tsc', 'Found 0 errors.', /^(?:\[[^\]]{1,40}\] )?Found 0 errors\./],
  ['prettier', 'All matched files', /^All matched files use Prettier code style!$/],
  ['black', ' left unchanged.', /^\d{1,9} files? would be left unchanged\.$/],
  ['markdownlint', 'Summary: 0 error', /^Summary: 0 error\(s\)$/],
  ['vale', '0 errors, ', /^\W*0 errors, \d{1,9} warnings and /],
  ['next', 'Compiled successfully', /^\W*Compiled successfully\b/],
  ['vite', 'built in ', /^\W*built in [\d.]+m?s$/],
  ['svelte-check', 'svelte-check found ', /^svelte-check found 0 errors/],
  ['rubocop', 'no offenses detected', /^\d{1,9} files? inspected, no offenses detected$/],
  ['cargo', '    Finished ', /^ {4}Finished (?:`\w+`|\w+) (?:profile )?\[/],
];

/** Texts that appear in an output only where such a program wrote it. */
export const CLEAN_SIGNS: readonly string[] = CLEAN.map(([, sign]) => sign);

/** Parses the output of a program that states explicitly that it found nothing. */
export const parseClean: OutputParser = (lines) => {
  const end = lines.slice(-60).map((line) => line.trimEnd());
  const text = end.join('\n');
  const found = CLEAN.find(([, sign, says]) => text.includes(sign) && end.some((line) => says.test(line)));
  return found ? { runner: found[0], failures: [], failed: 0 } : null;
};
