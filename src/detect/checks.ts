/** Programs whose result says whether the work is right: tests, type checks, linters, builds. */
const CHECK =
  /(?:^|[\s;&|(/'"])(pytest|py\.test|unittest|nose2?|tox|nox|jest|vitest|mocha|ava|karma|playwright|cypress|rspec|minitest|phpunit|ctest|gotestsum|tsc|vue-tsc|eslint|oxlint|biome|stylelint|prettier|ruff|mypy|pyright|pylint|flake8|black|rubocop|golangci-lint|shellcheck|checkpatch|make|ninja|msbuild|xcodebuild|javac|gcc|g\+\+|clang|rustc|webpack|esbuild|rollup|runtests\.py|(?:npm|pnpm|yarn|bun|deno|cargo|go|dotnet|mvn|mvnw|gradle|gradlew|swift|zig|mix|sbt|bazel|rake|composer|just|task|poetry|uv|hatch) (?:run )?[\w:.@-]*(?:test|build|lint|check|clippy|vet|typecheck|compile|verify|tsc|pytest|jest|vitest)[\w:.@-]*|manage\.py (?:test|check))(?=$|[\s;&|)"':])/i;

/** How test runners, compilers and linters say that something is wrong, in the end of their output. */
const WRONG =
  /\b[1-9]\d* (?:failed|failing|failures?|errors?|error\(s\)|problems?)\b|\b(?:FAILED|FAIL|FAILURES)\b|\b(?:failures|errors)[=:] ?[1-9]|\berror(?:\[\w+\]| TS\d+)?: |^Traceback |\w+(?:Error|Exception): |✗|✖|\bcommand not found\b/m;
const TAIL = 1500;

/**
 * The program that a command checks the work with, in lower case (`pytest`, `npm run build`), or null where it is none.
 *
 * Two runs of the same program are the same check also when their options differ.
 */
export function checkIn(command: string | undefined): string | null {
  if (command === undefined) return null;
  const found = CHECK.exec(command.length > 2000 ? command.slice(0, 2000) : command)?.[1];
  return found === undefined ? null : found.toLowerCase();
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
  return WRONG.test(output.length > TAIL ? output.slice(-TAIL) : output);
}
