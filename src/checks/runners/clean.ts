import type { OutputParser } from './lines';

/** Lines by which linters, formatters and builds say that nothing is wrong. */
const CLEAN: readonly (readonly [string, RegExp])[] = [
  ['ruff', /^All checks passed!$/],
  ['eslint', /^\W*No ESLint warnings or errors$/],
  ['oxlint', /^Found \d{1,9} warnings? and 0 errors\.$/],
  ['tsc', /^(?:\[[^\]]{1,40}\] )?Found 0 errors\./],
  ['prettier', /^All matched files use Prettier code style!$/],
  ['black', /^\d{1,9} files? would be left unchanged\.$/],
  ['markdownlint', /^Summary: 0 error\(s\)$/],
  ['vale', /^\W*0 errors, \d{1,9} warnings and /],
  ['next', /^\W*Compiled successfully\b/],
  ['vite', /^\W*built in [\d.]+m?s$/],
  ['svelte-check', /^svelte-check found 0 errors/],
  ['rubocop', /^\d{1,9} files? inspected, no offenses detected$/],
  ['cargo', /^ {4}Finished (?:`\w+`|\w+) (?:profile )?\[/],
];

/** A program that says in so many words that it found nothing. Only looked at where no other runner is known. */
export const parseClean: OutputParser = (lines) => {
  const end = lines.slice(-60);
  const found = CLEAN.find(([, says]) => end.some((line) => says.test(line.trimEnd())));
  return found ? { runner: found[0], failures: [], failed: 0 } : null;
};
