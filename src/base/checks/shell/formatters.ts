import { runsTasks } from './check-programs';
import { programName, wordTable, words } from './words';

/** Formatters that rewrite the files they are given. */
const WRITES = words('black isort rustfmt nixfmt stylua scalafmt');

/** Formatters that print, and write only with one of these options. */
const OPTIONS = wordTable({
  prettier: '--write -w',
  gofmt: '-w',
  gofumpt: '-w',
  goimports: '-w',
  shfmt: '-w',
  'clang-format': '-i',
  autopep8: '-i --in-place',
  yapf: '-i --in-place',
});

/** Programs that also do other things, with the first word that makes them format. */
const PARTS = wordTable({
  cargo: 'fmt',
  go: 'fmt',
  ruff: 'format',
  biome: 'format',
  deno: 'fmt',
  dart: 'format',
  dprint: 'fmt',
  terraform: 'fmt',
  tofu: 'fmt',
});
/** Words that precede the name of a project's task. */
const LEADS = words('run run-script task');
/** Such a name: `format`, `fmt:js`. */
const TASK = /^(?:format|fmt)(?:[:_-]\w{1,20})?$/;

/** Returns whether this simple command only rewrites files in a fixed style. One that checks the style is a check (`isCheck`). */
export function formats([given = '', ...rest]: readonly string[]): boolean {
  const program = programName(given);
  if (WRITES.has(program) || PARTS.get(program)?.has(rest[0] ?? '') === true) return true;
  if (rest.some((word) => OPTIONS.get(program)?.has(word) === true)) return true;
  const [first = '', second = ''] = rest;
  return runsTasks(program) && TASK.test(LEADS.has(first) ? second : first);
}
