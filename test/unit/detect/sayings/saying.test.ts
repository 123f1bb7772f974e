import { describe, expect, test } from 'vitest';
import type { Saying } from '../../../../src/detect/sayings/saying';
import { callOf, commandCall, exited, resultOf, saying } from '../support/one-step';

const says = (command: string, output: string, exitCode = 0): Saying =>
  saying(commandCall(command), exited(output, exitCode));
const printed = (output: string): Saying => saying(callOf({ kind: 'other', name: 'fetch' }), resultOf({ output }));

/** True if two results of one call say the same. A result that says nothing is equal to no other. */
const equal = (one: Saying, other: Saying): boolean =>
  one.kind !== 'nothing' && other.kind !== 'nothing' && one.token() === other.token();

describe('a check that failed says what fails', () => {
  const pytest = (log: string, ...failed: string[]): string =>
    [log, ...failed.map((one) => `FAILED ${one}`), `${failed.length} failed, 3 passed in 0.31s`].join('\n');
  const total = 'tests/test_sum.py::test_total - assert -6 == 6';
  const other = 'tests/test_sum.py::test_mean - assert 2 == 3';

  test('whatever was logged, and in whatever order the tests failed', () => {
    const first = says('pytest -q', pytest('2026-11-22 10:00:01 connected to db-1', total, other), 1);
    const second = says(
      'pytest -q',
      pytest('warning: slow disk\n2026-11-22 10:09:59 connected to db-2', other, total),
      1,
    );
    expect(first).toMatchObject({ kind: 'failures', failed: true });
    expect(equal(first, second)).toBe(true);
    expect(first.raw).not.toBe(second.raw);
  });

  test('whatever values are in the messages', () => {
    const moved = 'tests/test_sum.py::test_total - assert 3 == 6';
    expect(equal(says('pytest -q', pytest('', total), 1), says('pytest -q', pytest('', moved), 1))).toBe(true);
  });

  test('another test, one more, one fewer, or another kind of failure is something else', () => {
    const one = says('pytest -q', pytest('', total), 1);
    const kind = 'tests/test_sum.py::test_total - TypeError: unsupported operand';
    for (const failed of [[other], [total, other], [kind]]) {
      expect(equal(one, says('pytest -q', pytest('', ...failed), 1)), failed.join(', ')).toBe(false);
    }
  });

  test.each([
    'cd app && pytest -q',
    'sleep 1; pytest -q',
    'timeout 60 pytest -q',
    'uv run pytest -q',
    'python -m pytest -q',
    'pytest -q 2>&1 | tail -20',
  ])('even behind something that only starts or filters it: %s', (command) => {
    const exit = command.includes('|') ? 0 : 1;
    const first = says(command, pytest('log 1', total), exit);
    expect(first).toMatchObject({ kind: 'failures', failed: true });
    expect(equal(first, says(command, pytest('log 2', total), exit))).toBe(true);
  });

  test.each(['just test', 'make test', 'mise run test', 'npm run verify'])('even as a task: %s', (command) => {
    const first = says(command, pytest('log 1', total), 1);
    expect(first.kind).toBe('failures');
    expect(equal(first, says(command, pytest('log 2', total), 1))).toBe(true);
  });

  test('the same failure has the same number for any call', () => {
    const error = says('pytest -q', pytest('', total), 1).error;
    expect(error).not.toBe(0);
    expect(says('pytest -q tests', pytest('', total), 1).error).toBe(error);
  });
});

describe('a check that passed says that it passed', () => {
  test('whatever it logged before: exit code and totals decide first', () => {
    const bun = says(
      'bun test',
      'error: connection lost, as the test wants it\n 1274 pass\n 0 fail\nRan 1274 tests across 90 files. [2.1s]',
    );
    expect(bun).toMatchObject({ kind: 'passed', failed: false });
    expect(says('golangci-lint run', '0 issues.')).toMatchObject({ kind: 'passed', failed: false });
    expect(says('tsc --noEmit', '')).toMatchObject({ kind: 'passed' });
  });

  test('two passes are equal, however long they took', () => {
    expect(equal(says('pytest -q', '5 passed in 0.10s'), says('pytest -q', '9 passed in 7.31s'))).toBe(true);
  });

  test('a pipe that hides the exit code does not hide what failed', () => {
    expect(says('pytest -q | tail -3', 'FAILED a.py::b - boom\n2 failed, 3 passed in 0.5s')).toMatchObject({
      kind: 'failures',
      failed: true,
    });
  });
});

describe('an agent’s own script', () => {
  test('is a check if a runner’s totals appear', () => {
    expect(says('python run_all.py', 'FAILED a.py::b - boom\n1 failed, 3 passed in 0.5s', 1).kind).toBe('failures');
    expect(says('python run_all.py', '4 passed in 0.5s').kind).toBe('passed');
  });

  test('is not one by its words: that it prints success decides nothing', () => {
    const success = says('python deploy.py', 'SUCCESS: deployed 0 of 3 services');
    expect(success).toMatchObject({ kind: 'text', failed: false });
    expect(equal(success, says('python deploy.py', 'SUCCESS: deployed 0 of 3 services'))).toBe(true);
    expect(equal(success, says('python deploy.py', 'SUCCESS: deployed 2 of 3 services'))).toBe(false);
  });
});

describe('another failed call says its error line', () => {
  test('whatever the text around it', () => {
    const one = says('./deploy.sh a', 'step 1 of 9\nError: no credentials for this account\nsee the log', 1);
    const two = says('./deploy.sh a', 'step 7 of 9\nError: no credentials for this account\nbye', 1);
    expect(one).toMatchObject({ kind: 'error', failed: true });
    expect(equal(one, two)).toBe(true);
    expect(one.error).toBe(two.error);
    expect(one.error).not.toBe(0);
  });

  test.each([
    [
      'a Python exception',
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\nKeyError: \'total\'',
    ],
    ['a compiler', 'a.c:3:5: error: use of undeclared identifier x'],
    ['a panic of Rust', "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds: the len is 3"],
  ])('the line that names the cause: %s', (_, output) => {
    const one = says('./run.sh', output, 1);
    const later = says('./run.sh', `another beginning\n${output}`, 1);
    expect(one.error).not.toBe(0);
    expect(later.error).toBe(one.error);
  });

  test("not a wrapper's last line: two causes behind one wrapper are two errors", () => {
    const wrapped = (cause: string): Saying =>
      says('bun run start', `${cause}\nerror: script "start" exited with code 1`, 1);
    const one = wrapped('TypeError: a is not a function');
    expect(equal(one, wrapped('RangeError: invalid array length'))).toBe(false);
    expect(one.error).toBe(says('bun run start', 'TypeError: a is not a function', 1).error);
  });

  test('an exit code alone names no error: it is equal for the same call only', () => {
    const one = says('./step_1.sh', 'exit code 1', 1);
    expect(one).toMatchObject({ kind: 'error', error: 0 });
    expect(says('./step_1.sh', '', 1).error).toBe(0);
    expect(equal(one, says('./step_1.sh', 'exit code 1', 1))).toBe(true);
  });
});

describe('an edit that was made', () => {
  const edited = (output: string): Saying =>
    saying(
      callOf({ name: 'Edit', kind: 'changed', target: 'a.py', args: { file_path: 'a.py', new_string: 'b' } }),
      resultOf({ output }),
    );

  test('only confirms', () => {
    expect(edited('The file a.py has been updated.').kind).toBe('confirmed');
    expect(equal(edited('The file a.py has been updated.'), edited('ok'))).toBe(true);
  });

  test.each([
    ['the file alone', { file_path: 'a.py' }],
    ['the file and a word for what is done', { changes: { 'a.py': { type: 'update' } } }],
  ])('says nothing if its record names %s: the next one may write something else', (_, args) => {
    const call = callOf({ name: 'Edit', kind: 'changed', target: 'a.py', args });
    expect(saying(call, resultOf({ output: 'ok' })).kind).toBe('nothing');
  });

  test('failed if it says it changed nothing', () => {
    expect(edited('No replacement was performed, old_str did not appear verbatim.')).toMatchObject({
      kind: 'error',
      failed: true,
    });
  });
});

describe('an update of the plan', () => {
  const plan = (output: string, isError = false): Saying =>
    saying(callOf({ kind: 'plan', name: 'TodoWrite' }), resultOf({ output, isError }));

  test('says its text: the same text is a repeat, and a failed update names its error', () => {
    expect(plan('Todos have been modified')).toMatchObject({ kind: 'text', failed: false });
    expect(equal(plan('Todos have been modified'), plan('Todos have been modified'))).toBe(true);
    const [gone, locked] = [plan('no such item', true), plan('the list is locked', true)];
    expect(gone).toMatchObject({ kind: 'error', failed: true });
    expect(gone.error).not.toBe(0);
    expect(locked.error).not.toBe(gone.error);
  });
});

describe('some results say nothing', () => {
  test.each<[string, () => Saying]>([
    ['what a harness took away', () => saying(commandCall('cat a'), exited('[Old tool result content cleared]'))],
    [
      'an image without a digest',
      () => saying(callOf({ kind: 'other', name: 'screenshot' }), resultOf({ output: '[image]' })),
    ],
    ['the time of day', () => says('date', 'Sat Nov 22 13:26:24 UTC 2026')],
    ['how long it took', () => says('time -p true', '0.12s')],
    ['the confirmation of a write', () => says('python plot.py', 'Saved to out/plot.png')],
  ])('%s', (_, one) => {
    expect(one().kind).toBe('nothing');
  });

  test('silence says something: that there is nothing', () => {
    expect(says('ls empty', '').kind).toBe('text');
    expect(equal(says('ls empty', ''), says('ls empty', '\n'))).toBe(true);
  });

  test('an image with a digest of its bytes says which image it is', () => {
    const image = (digest: string): Saying => printed(`[image sha256:${digest}]`);
    expect(image('0a1b2c3d4e5f60718293').kind).toBe('text');
    expect(equal(image('0a1b2c3d4e5f60718293'), image('0a1b2c3d4e5f60718293'))).toBe(true);
    expect(equal(image('0a1b2c3d4e5f60718293'), image('99ffeeddccbbaa008877'))).toBe(false);
  });
});

describe('every other result says its text', () => {
  test.each([
    ['times', 'ready at 10:00:01', 'ready at 23:59:59'],
    ['durations', 'built in 1.2s', 'built in 45.0s'],
    ['durations by key', '{"status":"queued","duration_ms":12}', '{"status":"queued","duration_ms":4031}'],
    ['process ids', 'server runs, pid 12', 'server runs, pid 4711'],
    ['addresses', '<Page at 0x7f3a2b1c9d80>', '<Page at 0x7f00000c9d80>'],
    ['temporary folders', 'wrote /tmp/tmpab12cd34/x', 'wrote /tmp/tmpzz98yy76/x'],
    ['ids', '{"state":"open","task_id":5}', '{"state":"open","task_id":6}'],
    ['random seeds', 'shuffled, seed=42', 'shuffled, seed=7'],
    ['counters of executions', 'value 7\n"execution_count": 3', 'value 7\n"execution_count": 4'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['rulers', '==== done ====', '======== done ========'],
    ['space and line breaks', 'one two\nthree', 'one\n  two three\n'],
  ])('without %s', (_, one, other) => {
    expect(equal(printed(one), printed(other))).toBe(true);
  });

  test.each([
    ['counts', '3 rows', '4 rows'],
    ['names', 'user ann', 'user bob'],
    ['states', '{"state":"open","id":5}', '{"state":"closed","id":5}'],
  ])('with %s', (_, one, other) => {
    expect(equal(printed(one), printed(other))).toBe(false);
  });
});

describe('a command whose exit code is known later than its text', () => {
  const call = commandCall('node check.js');
  const before = saying(call, resultOf({ output: 'FAIL total: 6 is not 5' }));
  const late = (output: string) => saying(call, { ...exited(output, 1), exitCodeLate: true });

  test('says the same as before, and has failed', () => {
    expect(before).toMatchObject({ failed: false });
    expect(late('FAIL total: 6 is not 5')).toMatchObject({ failed: true, raw: before.raw });
    expect(equal(before, late('FAIL total: 6 is not 5'))).toBe(true);
    expect(equal(before, late('FAIL mean: 2 is not 3'))).toBe(false);
  });

  test('says something else if its exit code was known at once', () => {
    expect(equal(before, saying(call, exited('FAIL total: 6 is not 5', 1)))).toBe(false);
  });
});

describe('what a result says, by its call', () => {
  const pytest = 'FAILED t.py::a - boom\n1 failed in 0.1s';
  const long = (totals: string, before: number, after: number): string =>
    `${'line of it\n'.repeat(before)}${totals}\n${'line of it\n'.repeat(after)}`;
  const tool = (output: string, more: object = {}): Saying =>
    saying(callOf({ kind: 'other', name: 'test_runner' }), resultOf({ output, ...more }));
  const edit = (args: object, output = 'ok'): Saying =>
    saying(callOf({ name: 'Edit', kind: 'changed', target: 'a.py', args }), resultOf({ output }));

  test.each<[string, () => Saying, string]>([
    ['totals of a runner that a tool shows', () => tool(pytest), 'failures'],
    [
      'totals that a reading tool shows',
      () => saying(callOf({ kind: 'looked', name: 'Read' }), resultOf({ output: pytest })),
      'text',
    ],
    ['totals that a command shows which only looks', () => says('cat results.txt', pytest), 'text'],
    ['totals that a command shows which waits', () => says('tail -f results.txt', pytest), 'text'],
    ['totals of a script', () => says('./all.sh', pytest), 'failures'],
    ['totals at the end of a long result', () => says('./all.sh', long(pytest, 900, 0)), 'failures'],
    ['totals in the middle of one, of a script', () => says('./all.sh', long(pytest, 400, 400)), 'text'],
    ['totals in the middle of one, of a check', () => says('pytest -q', long(pytest, 400, 400), 1), 'failures'],
    ['a check that says nothing, and its exit code', () => says('pytest -q', '', 1), 'failures'],
    [
      'a check that says nothing, and the flag of its record',
      () => saying(commandCall('tsc --noEmit'), resultOf({ isError: true })),
      'failures',
    ],
    [
      'a result of which nothing is known',
      () => saying(commandCall('pytest'), { ...exited(pytest, 1), outcome: 'unknown' }),
      'nothing',
    ],
    ['an edit with its content', () => edit({ path: 'a.py', content: 'x = 1 + 1' }), 'confirmed'],
    ['an edit with a short content', () => edit({ path: 'a.py', content: 'x' }), 'confirmed'],
    [
      'an edit with its content deep in its record',
      () => edit({ a: { b: { c: { d: { e: 'update' } } } } }),
      'confirmed',
    ],
    [
      'an edit with words about it deep in its record',
      () => edit({ a: { b: { c: 'update' } }, n: null, many: 3 }),
      'nothing',
    ],
    ['an edit with no record', () => edit({}), 'nothing'],
    [
      'a command that edits',
      () => saying(callOf({ kind: 'changed', command: 'tee a', args: {} }), exited('ok')),
      'text',
    ],
    ['a tool that confirms a write', () => tool('Saved to out/plot.png'), 'text'],
    ['a command that writes and denies it', () => says('python plot.py', 'Nothing saved to out/plot.png'), 'text'],
  ])('%s', (_, one, kind) => {
    expect(one().kind).toBe(kind);
  });

  test.each([
    ['jest', 'Tests:       1 failed, 2 passed, 3 total', 'failures'],
    ['cargo', 'test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out', 'failures'],
    ['unittest', 'Ran 3 tests in 0.001s\n\nOK', 'passed'],
    ['rspec', '3 examples, 1 failure', 'failures'],
    ['golangci-lint', '2 issues:\n* govet: 2', 'failures'],
    ['PHPUnit', 'FAILURES!\nTests: 3, Assertions: 3, Failures: 1.', 'failures'],
    ['Bun', ' 2 pass\n 1 fail\nRan 3 tests across 1 files. [2.00ms]', 'failures'],
  ])('the totals of %s count, whatever script prints them', (_, output, kind) => {
    expect(says('./all.sh', output).kind).toBe(kind);
  });

  test('failures without names say their kinds and values', () => {
    const of = (output: string): Saying => says('npm run lint', output, 1);
    expect(equal(of('9 of 40 failed'), of('5 of 40 failed'))).toBe(false);
    expect(equal(of('9 of 40 failed'), of('log 3\n9 of 40 failed'))).toBe(true);
  });

  test('a check that does not say whether it passed says its text', () => {
    const of = (output: string): Saying => saying(commandCall('make lint | tee log'), resultOf({ output }));
    const [one, other] = [of('linting a.ts'), of('linting b.ts')];
    if (one.kind === 'text') expect(equal(one, other)).toBe(false);
    expect(equal(one, of('linting a.ts'))).toBe(true);
  });

  test('a result that says nothing has no number of any kind', () => {
    const one = says('date', '12:30:01');
    expect({ token: one.token(), raw: one.raw, error: one.error, check: one.check }).toEqual({
      token: 0,
      raw: 0,
      error: 0,
      check: null,
    });
  });

  test('numbers of different kinds are distinct', () => {
    const kinds = [says('tsc', ''), edit({ content: 'x = 1 + 1' }), says('./step.sh', '', 1), says('ls', '')];
    expect(new Set(kinds.map((one) => one.token())).size).toBe(kinds.length);
    for (const one of kinds) expect(one.token()).not.toBe(0);
  });
});
