import { type Script, script } from '../support/script';
import { runFamily } from '../support/run';

/** A session with one request. */
export const begin = (): Script => script().user('Make the tests of src/sum.ts pass.');

/** A shell command with this output and exit code. */
export function sh(run: Script, command: string, output: string, exitCode = 0): Script {
  return run.call('bash', { command }, { output, exitCode, isError: exitCode !== 0 });
}

/** A test run in which these fail. */
export const pytest = (run: Script, ...failing: string[]): Script =>
  failing.length === 0
    ? sh(run, 'pytest -q', '12 passed in 0.31s')
    : sh(
        run,
        'pytest -q',
        [...failing.map((name) => `FAILED tests/test_sum.py::${name} - boom`), `${failing.length} failed in 0.3s`].join(
          '\n',
        ),
        1,
      );

/** An edit of a file, a different one each time. */
let edits = 0;
export const edit = (run: Script, path = 'src/sum.ts'): Script =>
  run.call(
    'edit_file',
    { file_path: path, old_string: `a${++edits}`, new_string: `b${edits}` },
    { output: `${path} updated` },
  );

/** The reports of one rule, step by step: `warn 3`, `stuck 4`. */
export const saidBy = (run: Script, detector: string, rule: string | null): string[] =>
  run
    .run()
    .findings.filter((one) => one.detector === detector && one.rule === rule)
    .map(({ level, count }) => `${level} ${count}`);

/** The levels that the rules of repeats reached, incident by incident: `stuck`, `warn`. */
export const levels = (run: Script): string[] => runFamily(run.events()).incidents.map(({ last }) => last.level);

/** True if it is stuck by any of the rules of repeats. */
export const isStuck = (run: Script): boolean => levels(run).includes('stuck');
