/** Programs whose result says whether the work is right: tests, type checks, linters, builds. */
const CHECK =
  /(?:pytest|py\.test|unittest|nose2?|tox|nox|jest|vitest|mocha|ava|karma|playwright|cypress|rspec|minitest|phpunit|ctest|gotestsum|tsc|vue-tsc|eslint|oxlint|biome|stylelint|prettier|ruff|mypy|pyright|pylint|flake8|black|rubocop|golangci-lint|shellcheck|checkpatch|make|ninja|msbuild|xcodebuild|javac|gcc|g\+\+|clang|rustc|webpack|esbuild|rollup|runtests\.py|(?:npm|pnpm|yarn|bun|deno|cargo|go|dotnet|mvn|mvnw|gradle|gradlew|swift|zig|mix|sbt|bazel|rake|composer|just|task|poetry|uv|hatch) (?:run )?[\w:.@-]*(?:test|build|lint|check|clippy|vet|typecheck|compile|verify|tsc|pytest|jest|vitest)[\w:.@-]*|manage\.py (?:test|check))(?=$|[\s;&|)"':])/iy;
/** What stands before its name. */
const BEFORE = /[\s;&|(/'"]/;

/** How test runners, compilers and linters say that something is wrong, in the end of their output. */
const WRONG =
  /\b[1-9]\d* (?:failed|failing|failures?|errors?|error\(s\)|problems?)\b|\b(?:FAILED|FAIL|FAILURES)\b|\b(?:failures|errors)[=:] ?[1-9]|\berror(?:\[\w+\]| TS\d+)?: |^Traceback |\w+(?:Error|Exception): |✗|✖|\bcommand not found\b/m;
/** What any of these has in it: most outputs have none of it. */
const MAYBE_WRONG = /[Ee]rror|[Ff]ail|FAIL|Exception|problem|Traceback|not found|✗|✖/;
const TAIL = 1500;

/**
 * The first three characters of the programs of CHECK as marks: an ordinary command has none of them at the start of a word. What
 * follows a name of two characters is a space.
 */
const BEGINNINGS = new Uint8Array(4096);
for (const name of 'pyt py. uni nos tox nox jes vit moc ava kar pla cyp rsp min php cte got tsc vue esl oxl bio sty pre ruf myp pyr pyl fla bla rub gol she che mak nin msb xco jav gcc g++ cla rus web esb rol run npm pnp yar bun den car dot mvn gra swi zig mix sbt baz rak com jus tas poe hat man'.split(
  ' ',
))
  BEGINNINGS[markOf(name, 0)] = 1;
for (const name of ['go ', 'uv ']) BEGINNINGS[markOf(name, 0)] = 1;

function markOf(text: string, at: number): number {
  const one = text.charCodeAt(at) | 0x20;
  const two = text.charCodeAt(at + 1) | 0x20;
  return (one * 961 + two * 31 + (text.charCodeAt(at + 2) | 0x20)) & 4095;
}

/** May a program of CHECK begin here? */
function mayBegin(command: string, at: number): boolean {
  return BEGINNINGS[markOf(command, at)] === 1 && (at === 0 || BEFORE.test(command.charAt(at - 1)));
}

/**
 * The program that a command checks the work with, in lower case (`pytest`, `npm run build`), or null where it is none.
 *
 * Two runs of the same program are the same check also when their options differ.
 */
export function checkIn(command: string | undefined): string | null {
  if (command === undefined) return null;
  const head = command.length > 2000 ? command.slice(0, 2000) : command;
  for (let at = 0; at < head.length; at++) {
    if (!mayBegin(head, at)) continue;
    CHECK.lastIndex = at;
    const found = CHECK.exec(head);
    if (found) return found[0].toLowerCase();
  }
  return null;
}

/** How programs say that all is well. */
const FINE =
  /\b(?:ok|passed|passing|passes|success|successful(?:ly)?|succeeded|completed|built in|compiled|no (?:issues|errors|problems|warnings)|0 (?:errors|failed|failures|problems))\b|✓|✔/i;

/** Does this output of a command that succeeded say that all is well? A silent one does. A script that prints something else does not. */
export function saysFine(output: string): boolean {
  if (output.length < 400 && output.trim() === '') return true;
  return FINE.test(output.length > TAIL ? output.slice(-TAIL) : output);
}

/** Does the output of a check say that something is wrong, whatever the exit code? `pytest | tail -5` exits with 0. */
export function saysWrong(output: string): boolean {
  const tail = output.length > TAIL ? output.slice(-TAIL) : output;
  return MAYBE_WRONG.test(tail) && WRONG.test(tail);
}
