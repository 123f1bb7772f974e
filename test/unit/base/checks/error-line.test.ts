import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorLine, isUsageError, ownText } from '../../../../src/base/checks/error-line';

const TRACE =
  'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    run()\n  File "x.py", line 1, in run\n';

describe('the line that names the cause', () => {
  it.each([
    [`starting\n${TRACE}ValueError: nothing to sum\n`, 'ValueError: nothing to sum'],
    [
      `${TRACE}KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n${TRACE}pkg.errors.Missing: a is missing\n`,
      'pkg.errors.Missing: a is missing',
    ],
    [
      '/app/x.js:3\n  throw new Error("no")\n  ^\n\nError: no\n    at run (/app/x.js:3:9)\n\nNode.js v22.1.0\n',
      'Error: no',
    ],
    [
      'TypeError [ERR_INVALID_ARG]: bad path\nerror: script "lint" exited with code 1\n',
      'TypeError [ERR_INVALID_ARG]: bad path',
    ],
    [
      'Exit code 1\n$ eslint .\nOops! Something went wrong!\nerror: Unknown option --fixx\nerror: script "lint" exited with code 1\n',
      'error: Unknown option --fixx',
    ],
    [
      'cc -c a.c\na.c:3:1: error: unknown type name\nmake: *** [Makefile:3: a.o] Error 1\n',
      'a.c:3:1: error: unknown type name',
    ],
    ['npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nfatal: not a git repository\n', 'fatal: not a git repository'],
    [
      "thread 'main' (12) panicked at src/main.rs:4:5:\nno way\nnote: run with RUST_BACKTRACE=1\n",
      "thread 'main' (12) panicked at src/main.rs:4:5: no way",
    ],
    ['bash: line 1: foo: command not found\n', 'bash: line 1: foo: command not found'],
    ['cat: a.txt: No such file or directory\n', 'cat: a.txt: No such file or directory'],
    [
      'Exception in thread "main" java.lang.IllegalStateException: closed\n\tat a.B.c(B.java:3)\n',
      'Exception in thread "main" java.lang.IllegalStateException: closed',
    ],
    ['0 errors\nAssertionError: expected 3\n', 'AssertionError: expected 3'],
    [
      'Exit code 2\nno config found in session cache, please provide one\n',
      'no config found in session cache, please provide one',
    ],
    ['ERROR: relation "users" does not exist\n', 'ERROR: relation "users" does not exist'],
  ])('%j', (output, line) => expect(errorLine(output)).toBe(line));

  it.each([
    '',
    'Exit code 1',
    'Exit code 1\n',
    'Command failed with exit code 1',
    'error: script "lint" exited with code 1\n',
    'npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\n',
    'make: *** [check] Error 2\n',
    'make[1]: *** [Makefile:3: test] Error 1\nmake: *** [all] Error 2\n',
    '<returncode>1</returncode>',
    'Process exited with code 1',
    ' ELIFECYCLE  Command failed with exit code 1.',
  ])('does not exist in %j', (output) => expect(errorLine(output)).toBeNull());

  it('is one short line of any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'binary' }), (text) => {
        const line = errorLine(text);
        if (line === null) return;
        expect(line).not.toContain('\n');
        expect(line.length).toBeLessThanOrEqual(400);
      }),
      { numRuns: 200, seed: 4242 },
    );
  });
});

describe('the words of a failed command itself', () => {
  it.each([
    ['构建停止\n请检查第三步\n', '构建停止\n请检查第三步'],
    ['\n\n  alpha\n\nbeta\n', '  alpha\nbeta'],
    ['Exit code 1\n无法继续\n', '无法继续'],
    ['step 3 stopped\nerror: script "lint" exited with code 1\n', 'step 3 stopped'],
  ])('in %j are %j', (output, text) => expect(ownText(output)).toBe(text));

  it.each(['', '\n \n', 'Exit code 1', 'npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\n', 'Process exited with code 1'])(
    'do not exist in %j',
    (output) => expect(ownText(output)).toBe(''),
  );
});

describe('a call that was refused for how it was called', () => {
  it.each([
    'usage: deploy [--to HOST]',
    'Usage: deploy [options]\n\nOptions:\n  --to',
    'error: unknown option --al',
    "error: unrecognized argument '--al'",
    'deploy: invalid option -- x',
    'error: unexpected argument --al found',
    'missing required parameter: path',
    'required option --to not given',
    'Error: parameter path is required',
    'the field name is missing',
  ])('%j', (output) => expect(isUsageError(output)).toBe(true));

  it.each([
    '',
    'error: no credentials for this account',
    'TypeError: a is not a function',
    'the disk usage: 93 %',
    'option pricing failed for 3 rows',
    'Traceback (most recent call last):\n  File "a.py"\nValueError: unknown option x',
    `usage: deploy\n${'x'.repeat(1_500)}`,
  ])('is not %j', (output) => expect(isUsageError(output)).toBe(false));
});
