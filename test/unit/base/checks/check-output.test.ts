import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckOutput, readCheckOutput, checkSaying } from '../../../../src/base/checks/check-output';
import { plainLines } from '../../../../src/base/checks/runners/lines';
import { parseOutput } from '../../../../src/base/checks/runners/parse-output';

const FOLDER = join(__dirname, 'outputs');
const output = (name: string) => readFileSync(join(FOLDER, `${name}.txt`), 'utf8');

function failed(command: string, text: string, exitCode?: number): CheckOutput {
  const found = readCheckOutput(command, text, exitCode);
  if (found === null) throw new Error(`${command} is no check`);
  return found;
}
const saying = (text: string, command = 'make test') => checkSaying(failed(command, text, 1));

describe('the failures in the output of every runner', () => {
  it('are as the table says: name, suite, kind, values, times', () => {
    const table = readdirSync(FOLDER)
      .sort()
      .map((file) => {
        const text = readFileSync(join(FOLDER, file), 'utf8');
        const { runner, ...totals } = parseOutput(plainLines(text));
        const { passed, failures } = failed('make test', text, 1);
        const counts = [totals.failed, totals.passed, totals.skipped].map((count) => count ?? '-').join(' ');
        const lines = failures.map(({ name, suite, kind, values, times }) =>
          ['  ', [name, suite, kind, values.join(' '), times].join(' | ')].join(' '),
        );
        return [`== ${file.replace('.txt', '')}: ${runner} ${passed ? 'passed' : 'failed'} ${counts}`, ...lines];
      });
    expect(`${table.flat().join('\n')}\n`).toBe(readFileSync(join(__dirname, 'what-fails.txt'), 'utf8'));
  });

  it('are not changed by colours or by another form of the same run', () => {
    expect(saying(output('vitest-color'))).toBe(saying(output('vitest')));
    expect(saying(output('tsc-pretty'))).toBe(saying(output('tsc')));
    expect(saying(output('pytest-short'))).toBe(saying(output('pytest-q')));
    expect(saying(output('go-test-v'))).not.toBe(saying(output('go-test')));
  });
});

describe('the outcome of a check', () => {
  it.each([
    ['bun run test', ' 1274 pass\n 0 fail\nRan 1274 tests across 56 files. [854.00ms]\n', undefined],
    [
      'bun run test',
      'error: a test logs this\n✗ and this\n 1274 pass\n 0 fail\nRan 1274 tests across 56 files. [1.2s]\n',
      0,
    ],
    ['golangci-lint run', '0 issues.\n', undefined],
    ['ruff check . | tail -3', 'All checks passed!\n', 0],
    ['npx tsc --noEmit', '', 0],
    ['npx tsc --noEmit | head', '', 0],
    ['npx tsc --noEmit | head', '(Bash completed with no output)', 0],
    ['cargo clippy 2>&1 | tail', '    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.31s\n', 0],
    ['pytest -q | tail -1', '12 passed in 0.31s\n', 0],
    ['npm test; echo "exit: $?"', 'error: logged\nexit: 0\n', 0],
    ['./gradlew test', 'BUILD SUCCESSFUL in 2s\n', undefined],
    ['deno test', 'ok | 3 passed | 0 failed (12ms)\n', undefined],
    ['python x.py', 'Ran 3 tests in 0.001s\n\nOK\n', 0],
    ['phpunit', 'OK (3 tests, 3 assertions)\n', undefined],
    ['npm test', '  12 passing (31ms)\n  1 pending\n', undefined],
    ['mvn -q test', '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n', undefined],
  ])('%s passed: %j', (command, text, exitCode) => {
    expect(failed(command, text, exitCode)).toMatchObject({ passed: true, failures: [] });
    expect(checkSaying(failed(command, text, exitCode))).toBe('passed');
  });

  it.each([
    ['pytest -q | tail -5', 'FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 11 passed in 0.31s\n', 0],
    ['npm test || true', '  11 passing (31ms)\n  1 failing\n\n  1) adds:\n     Error: no\n', 0],
    ['npx tsc --noEmit | head', "src/a.ts(1,2): error TS2304: Cannot find name 'x'.\n", 0],
    ['npm test; echo "exit: $?"', 'exit: 1\n', 0],
    ['npm run lint', '0 issues\n', 1],
  ])('%s failed: %j', (command, text, exitCode) => {
    expect(failed(command, text, exitCode).passed).toBe(false);
  });

  it('is unknown if the remaining output of a run does not show it', () => {
    expect(failed('npm run build | tail -3', 'chunk a 12 kB\nchunk b 3 kB\n', 0).passed).toBeNull();
    // `$?` after a pipe is the exit code of `tail`
    expect(failed('go test ./... | tail -3; echo "exit $?"', 'something\nexit 0\n', 0).passed).toBeNull();
  });
});

describe('a check', () => {
  it.each([
    ['python3 reproduce.py', 'SUCCESS: all tests passed\n'],
    ['python3 reproduce.py', 'error: the value is wrong\n'],
    ['cat test.log', '== FAILURES ==\n1 failed in 0.1s\n'],
    ['grep -rn "Tests:" docs', 'Tests:       1 failed, 2 passed, 3 total\n'],
    ['sleep 30; tail -5 test.log', '1 failed in 0.1s\n'],
    ['git push', 'error: failed to push some refs\n'],
  ])('is not %s: %j', (command, text) => expect(readCheckOutput(command, text, 1)).toBeNull());

  it.each([
    ['python3 reproduce.py', 'F\nRan 1 test in 0.001s\n\nFAILED (failures=1)\n'],
    ['./run', '  3 passing (2ms)\n  1 failing\n\n  1) adds:\n     Error: no\n'],
    ['npm run all', "src/a.ts(1,2): error TS2304: Cannot find name 'x'.\n"],
    ['git commit -m x', 'src/a.ts(1,2): error TS2304: x\n 3 pass\n 0 fail\nRan 3 tests across 1 file. [1ms]\n'],
    [null, '1 failed, 2 passed in 0.10s\n'],
  ])('is %s by its output: %j', (command, text) => {
    expect(readCheckOutput(command, text, 1)?.passed).toBe(false);
  });
});

interface Broken {
  readonly test: string;
  readonly message: string;
}

/** The same failures as each runner prints them, with logs, times and addresses that come from elsewhere. */
const RUNNERS: Readonly<Record<string, (broken: readonly Broken[], log: readonly string[], time: number) => string>> = {
  pytest: (broken, log, time) =>
    [
      '=================================== FAILURES ===================================',
      ...broken.flatMap(({ test, message }) => [
        `______________________________ ${test} ______________________________`,
        `E       ${message}`,
        '',
        `tests/test_calc.py:${time}: AssertionError`,
        '----------------------------- Captured stdout call -----------------------------',
        ...log,
      ]),
      '=========================== short test summary info ============================',
      ...broken.map(({ test, message }) => `FAILED tests/test_calc.py::${test} - ${message}`),
      `======================== ${broken.length} failed, 3 passed in ${time}.12s ========================`,
    ].join('\n'),
  vitest: (broken, log, time) =>
    [
      ' RUN  v4.0.0 /home/dev/project',
      ...log,
      ...broken.flatMap(({ test, message }) => [
        ` FAIL  src/calc.test.ts > ${test}`,
        message,
        ` ❯ src/calc.test.ts:${time}:3`,
        '',
      ]),
      ' Test Files  1 failed (1)',
      `      Tests  ${broken.length} failed | 3 passed (${broken.length + 3})`,
      `   Duration  ${time}ms`,
    ].join('\n'),
  jest: (broken, log, time) =>
    [
      ...log,
      'FAIL src/calc.test.js',
      ...broken.flatMap(({ test, message }) => [
        `  ● ${test}`,
        '',
        `    ${message}`,
        '',
        `      at Object.<anonymous> (src/calc.test.js:${time}:3)`,
        '',
      ]),
      'Test Suites: 1 failed, 1 total',
      `Tests:       ${broken.length} failed, 3 passed, ${broken.length + 3} total`,
      `Time:        ${time} s`,
    ].join('\n'),
  go: (broken, log, time) =>
    [
      ...broken.flatMap(({ test, message }) => [
        `--- FAIL: ${test} (0.${time}s)`,
        `    calc_test.go:${time}: ${message}`,
      ]),
      ...log,
      'FAIL',
      `FAIL\texample.com/calc\t0.${time}s`,
    ].join('\n'),
  cargo: (broken, log, time) =>
    [
      ...broken.flatMap(({ test, message }) => [
        `---- ${test} stdout ----`,
        `thread '${test}' (${time}) panicked at src/lib.rs:${time}:9:`,
        message,
        '',
      ]),
      ...log,
      'failures:',
      `test result: FAILED. 3 passed; ${broken.length} failed; 0 ignored; 0 measured; finished in 0.${time}s`,
    ].join('\n'),
  unittest: (broken, log, time) =>
    [
      ...broken.flatMap(({ test, message }) => [
        '======================================================================',
        `FAIL: ${test} (tests.test_calc.TestCalc.${test})`,
        '----------------------------------------------------------------------',
        'Traceback (most recent call last):',
        `  File "/tmp/run-${time}/test_calc.py", line ${time}, in ${test}`,
        message,
        '',
      ]),
      ...log,
      `Ran ${broken.length + 3} tests in 0.${time}s`,
      '',
      `FAILED (failures=${broken.length})`,
    ].join('\n'),
};

describe('the same failures in another log', () => {
  const names = ['test_add', 'test_total', 'test_sub', 'test_greet', 'test_leave', 'test_sum'];
  const words = ['total is gone', 'no such user', 'cannot divide', 'nothing to sum'];
  const broken = fc
    .uniqueArray(fc.record({ test: fc.constantFrom(...names), word: fc.constantFrom(...words) }), {
      selector: (one) => one.test,
      minLength: 1,
      maxLength: 5,
    })
    .map((all) => all.map(({ test, word }) => ({ test, message: `ValueError: ${word}` })));
  const log = fc.array(
    fc.constantFrom(
      'connecting to 127.0.0.1:51233',
      '2026-01-05T10:00:00.123Z INFO worker 4711 started',
      'WARN deprecated call at 0x7ffd2a10',
      'listening on port 41233 after 12ms',
      'DEBUG rows=3 pid=881',
    ),
    { maxLength: 6 },
  );
  const time = fc.integer({ min: 1, max: 900 });

  it.each(Object.entries(RUNNERS))('%s: order, log, lines and times do not count', (_, print) => {
    fc.assert(
      fc.property(broken, log, log, time, time, (all, one, other, early, late) => {
        expect(saying(print([...all].reverse(), other, late))).toBe(saying(print(all, one, early)));
      }),
      { numRuns: 60, seed: 4242 },
    );
  });

  it.each(Object.entries(RUNNERS))('%s: another test, another message and a missing test do', (_, print) => {
    fc.assert(
      fc.property(broken, log, time, (all, lines, at) => {
        const before = saying(print(all, lines, at));
        const [first, ...rest] = all;
        expect(
          saying(print([{ test: 'test_new', message: 'ValueError: nothing to sum' }, ...rest], lines, at)),
        ).not.toBe(before);
        expect(
          saying(print([{ test: first?.test ?? '', message: 'TypeError: it is no number' }, ...rest], lines, at)),
        ).not.toBe(before);
        if (rest.length > 0) expect(saying(print(rest, lines, at))).not.toBe(before);
      }),
      { numRuns: 60, seed: 4242 },
    );
  });

  it('five failing tests in five logs are one report; with another test among them they are not', () => {
    const five = names.slice(0, 5).map((test, at) => ({ test, message: `AssertionError: assert ${at} == 6` }));
    const runs = Array.from({ length: 5 }, (_, run) =>
      saying(
        RUNNERS['pytest']?.(
          five.map(({ test }) => ({ test, message: `assert ${run - 6} == 6` })),
          [`request ${run} took ${run * 31}ms`, `ERROR row ${run} skipped`],
          run + 3,
        ) ?? '',
      ),
    );
    expect(new Set(runs).size).toBe(1);
    const other = [...five.slice(1), { test: 'test_sum', message: 'assert -6 == 6' }];
    expect(saying(RUNNERS['pytest']?.(other, [], 3) ?? '')).not.toBe(runs[0]);
  });

  it('the value of the one failing test that changed is distinguished', () => {
    const runs = [-6, 3, 3].map(
      (value) =>
        failed('pytest', RUNNERS['pytest']?.([{ test: 'test_total', message: `assert ${value} == 6` }], [], 3) ?? '', 1)
          .failures[0],
    );
    expect(runs.map((run) => run?.kind)).toEqual(['assert # == #', 'assert # == #', 'assert # == #']);
    expect(runs.map((run) => run?.values)).toEqual([
      ['-6', '6'],
      ['3', '6'],
      ['3', '6'],
    ]);
  });

  it('two errors of one kind in a file, one of which is fixed, are another report', () => {
    const error = (line: number) => `src/a.ts(${line},2): error TS2304: Cannot find name 'x'.`;
    expect(saying(`${error(3)}\n${error(9)}`)).toBe(saying(`${error(12)}\n${error(4)}`));
    expect(saying(error(3))).not.toBe(saying(`${error(3)}\n${error(9)}`));
  });

  it("a compiler's quotation is a name: another name is another failure", () => {
    const error = (name: string) => `src/a.ts(3,2): error TS2304: Cannot find name '${name}'.`;
    expect(saying(error('x'))).not.toBe(saying(error('y')));
  });

  it('if only the counts of a run were kept, they are its report', () => {
    const end = (fails: number, ms: number) =>
      ` 12 pass\n ${fails} fail\nRan ${fails + 12} tests across 3 files. [${ms}ms]\n`;
    expect(saying(end(3, 812), 'bun test')).toBe(saying(end(3, 97), 'bun test'));
    expect(saying(end(2, 812), 'bun test')).not.toBe(saying(end(3, 812), 'bun test'));
  });
});

describe('unknown programs', () => {
  it('report the lines that name an error, without numbers; warnings, notes, logs and passed tests do not count', () => {
    const text = (port: number) =>
      [
        `12:00:0${port % 10} ERROR logged`,
        '✓ handles an error',
        'warning: error is a reserved word',
        `assert failed: got ${port}`,
        'npm ERR! code ELIFECYCLE',
        'make: *** [check] Error 2',
      ].join('\n');
    expect(failed('make check', text(4123), 2).failures).toMatchObject([
      { name: '', kind: 'assert failed: got #', values: ['4123'] },
    ]);
    expect(saying(text(1))).toBe(saying(text(2)));
  });

  it('report nothing on their own in a failed check that names nothing', () => {
    expect(checkSaying(failed('npm run build', 'Exit code 1\n', 1))).toBeNull();
  });
});

describe('any text', () => {
  it('never causes an exception, and its report depends on the text alone', () => {
    const pieces = readdirSync(FOLDER).flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').split('\n'));
    const lines = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 80 })), { maxLength: 60 });
    fc.assert(
      fc.property(lines, fc.constantFrom('npm test', 'npm test | tail', 'python x.py', null), (all, command) => {
        const text = all.join('\n');
        const once = readCheckOutput(command, text, 1);
        expect(readCheckOutput(command, text, 1)).toEqual(once);
        for (const { kind, times } of once?.failures ?? []) {
          expect(kind.length).toBeLessThan(200);
          expect(times).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200, seed: 4242 },
    );
  });
});
