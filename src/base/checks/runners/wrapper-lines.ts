/** Lines in which a package manager, a task runner, a shell or a harness only reports that what it started has failed. They name no cause. */
const WRAPPERS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun) (?:ERR!|error) (?:code (?:ELIFECYCLE|1|\d+)|errno|path|Lifecycle|command|A complete log|at location|in workspace|Exit status|This is probably not|Failed at the|\S+@\S+ \S+: `)/,
  /^(?:npm|pnpm) (?:ERR!|error)\s*$/,
  /^\s*ELIFECYCLE\b|^\s*ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\b|^error Command failed with exit code \d+/,
  /^(?:\W*|.{0,20}\s)(?:error: )?script "[^"]{1,200}" (?:was terminated|exited with code) /,
  /^(?:g|n)?make(?:\[\d+\])?: \*\*\* .*\b(?:Error \d+|Stop\.)/,
  /^ninja: build stopped/,
  /^\[?(?:error|ERROR)?[:\] ]*(?:the )?(?:command|process|task|recipe|job|script)\b[^:]{0,120}\b(?:failed|exited|terminated|returned)\b[^:]{0,40}\b(?:with|code|status)\b/i,
  /^error: Recipe `[^`]{1,200}` failed/,
  /^(?:\w{1,20}: )?(?:error:? ?)?Command failed(?: with exit code \d+\b|[.:]?$)/i,
  /^husky - \S+ (?:script|hook) failed/,
  /^\s*×? ?Some (?:errors|warnings) were emitted while running/,
  /^\s*[×✖]? ?\d+ (?:errors?|warnings?) generated\.?$/,
  /^\W{0,4}exit(?:ed)?(?: with)?(?: code| status)?[ :=]{1,3}-?\d+\W{0,3}$/i,
  /^<(?:returncode|exit_code)>-?\d+</i,
  /^\s*at ChildProcess\.|^\s*code: 'ELIFECYCLE'/,
  /^\[(?:ERROR|INFO)\] (?:Failed to execute goal|-> \[Help|To see the full|Re-run Maven|For more information|BUILD FAILURE|After correcting|\[Help \d)/,
  /^error: (?:could not compile|aborting due to|test failed, to rerun|\d+ targets? failed|process didn't exit)/,
  /^(?:BUILD FAILED|FAILURE: Build failed with an exception\.|\* What went wrong:|Execution failed for task )/,
  /^ERROR: "[^"]{1,200}" exited with \d+/,
  /^\[mise?\] ERROR|^mise ERROR|^task: Failed to run task/,
  /^\w{1,20} (?:run )?failed\.?$/i,
];

/** Returns whether this line only says that another program failed. */
export function isWrapper(line: string): boolean {
  const start = line.slice(0, 400).trimEnd();
  return WRAPPERS.some((wrapper) => wrapper.test(start));
}
