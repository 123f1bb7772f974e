import { describe, expect, it, test } from 'vitest';
import {
  tellingLine,
  headAndTail,
  snippetLine,
  resultLine,
  shownResult,
  withoutEcho,
} from '../../../../src/detect/sayings/snippet';

describe('the line by which a person recognises a result', () => {
  const echo = '\n> shop@1.0.0 test\n> node test.js\n\n';

  it('comes from the script, not from npm before it', () => {
    expect(resultLine(`${echo}FAIL total: expected 7, got 5\n`, true)).toBe('FAIL total: expected 7, got 5');
    expect(resultLine(`${echo}sum is 5 and should be 7\n`, true)).toBe('sum is 5 and should be 7');
    expect(resultLine(`${echo}7 tests ok\n`, false)).toBe('7 tests ok');
    expect(tellingLine(`> @acme/shop@1.0.0 build\n> make\n\nstopped at 3`)).toBe('stopped at 3');
  });

  it('is not the “Error: (none)” of the frame around each result of Gemini CLI and Qwen Code', () => {
    expect(tellingLine('Output: cc: fatal error: no input files\nError: (none)\nExit Code: 1')).toBe(
      'Output: cc: fatal error: no input files',
    );
    expect(tellingLine('Output: (empty)\nError: spawn ENOENT')).toBe('Error: spawn ENOENT');
  });

  it('is that of npm if the script said nothing', () => {
    expect(resultLine(echo, true)).toBe('> shop@1.0.0 test > node test.js');
  });

  it('is the last one that reports a failure; the word FAIL alone counts only if no other line does', () => {
    expect(resultLine('FAIL src/a.test.ts\n1 failed, 2 passed\nDone in 3 s', true)).toBe('1 failed, 2 passed');
    expect(resultLine('started\nFAIL a\nFAIL b\nended', true)).toBe('FAIL b');
  });

  it('is the quotation itself for a quotation: only the lines of a package manager are left out', () => {
    expect(resultLine('> first\n> second', false)).toBe('> first');
  });
});

describe('the line by which a person recognises a failure', () => {
  test.each(
    [
      'Error: no | an exception | 2 failed | 1 failing | 1 failure | 3 failures | fatal: no | cannot open',
      "can't open | file not found | not ok 3 | no such file | access denied | connection refused",
      'timed out | Timeout | Traceback (most recent) | panic: no | invalid flag | unexpected token',
      'x is undefined | 3 passed | 3 passing',
    ].flatMap((line) => line.split(' | ')),
  )('is “%s”, wherever it appears', (line) => {
    expect(resultLine(`started here\n${line}\nended here`, true)).toBe(line);
    expect(resultLine(`started here\n${line}`, true)).toBe(line);
    expect(resultLine(`${line}\nended here`, true)).toBe(line);
  });

  test.each(
    [
      'Chunk ID: 12ab error | Wall time: 3 s error | Process exited with code 1 error | Output:',
      'Original token count: 9 failed | Process Group PGID: 12 failed | Exit code 1 | Exit code: -1',
      '<output> failed | </output> failed | <returncode>1 failed | <tool_use_error>failed | Signal: failed',
      '<untrusted_context> failed | <shellId: failed | Background PIDs: failed',
    ].flatMap((line) => line.split(' | ')),
  )('is never “%s”, which an agent writes around a result', (frame) => {
    expect(resultLine(`${frame}\nit said this\n${frame}`, true)).toBe('it said this');
    expect(resultLine(`${frame}\nit said this`, false)).toBe('it said this');
    expect(tellingLine(`${frame}\nit said this`)).toBe('it said this');
  });

  it('is looked for at the end, and at the beginning if the end says nothing', () => {
    const middle = 'a line of the middle\n'.repeat(200);
    expect(resultLine(`error at the start\n${middle}error at the end\n`, true)).toBe('error at the end');
    expect(resultLine(`error at the start\n${middle}`, true)).toBe('error at the start');
    expect(resultLine(`first\n${middle}error of the middle\n${middle}`, true)).toBe('first');
  });

  it('skips rulers and empty lines, twelve lines at most', () => {
    expect(resultLine('=====\n\n-- --\n***\nsays this', false)).toBe('says this');
    expect(resultLine(`${'----\n'.repeat(11)}says this`, false)).toBe('says this');
    expect(resultLine(`${'----\n'.repeat(12)}says this`, false)).toMatch(/^---- ----/);
    expect(resultLine('', false)).toBe('');
  });

  it('omits the word “Output” before it', () => {
    expect(resultLine('Output: 4 files', false)).toBe('4 files');
    expect(resultLine('The Output: 4 files', false)).toBe('The Output: 4 files');
  });
});

describe('the line by which an error is recognised', () => {
  test.each([
    ['ValueError: no', 'Traceback\n  File "a.py"\nKeyError: first\nValueError: no\nsee above'],
    ['E   AssertionError: 2 != 3', 'assert failed\nE   AssertionError: 2 != 3\n1 failed'],
    ['java.io.IOException', 'failed\njava.io.IOException\n'],
    ['DeprecationWarning: old', 'failed\nDeprecationWarning: old'],
    ['KeyboardInterrupt', 'failed\nKeyboardInterrupt'],
    ['SystemExit: 2', 'failed\nSystemExit: 2'],
    ['error[E0308]: mismatched types', 'failed to build\nerror[E0308]: mismatched types\nx'],
    ['error: cannot find it', 'failed to build\nerror: cannot find it\nx'],
  ])('is the last that names an exception: %s', (line, output) => {
    expect(tellingLine(output)).toBe(line);
  });

  it('is otherwise the first informative line, with the next one if it names nothing alone', () => {
    expect(tellingLine('started\nthe test failed at a.ts\nanother failed')).toBe('the test failed at a.ts');
    expect(tellingLine('ERROR!\n=====\n\nExit code 1\n  what it was\nmore')).toBe('ERROR! what it was');
    expect(tellingLine('1 failed')).toBe('1 failed ');
    expect(tellingLine('nothing told\nin two lines')).toBe('nothing told');
  });

  it('is looked for in the first and last 2,000 characters of a long text', () => {
    const long = 'a line of text\n'.repeat(400);
    expect(tellingLine(`TypeError: first\n${long}`)).toBe('TypeError: first a line of text');
    expect(tellingLine(`${long}TypeError: last\n${long.slice(0, 1_500)}`)).toBe('TypeError: last');
    expect(tellingLine(`${long}TypeError: middle\n${long}`)).toBe('a line of text');
  });
});

describe('a result that begins with the command', () => {
  test.each([
    ['ok', 'npm test\nok', 'npm test'],
    ['ok', 'npm test\nok', 'npm test -- --run'],
    ['', 'npm test', 'npm test'],
    ['npm test all\nok', 'npm test all\nok', 'npm'],
    ['\nok', '\nok', 'npm test'],
    ['test\nok', 'test\nok', 'npm test'],
    ['npm test\nok', 'npm test\nok', ''],
    ['npm test\nok', 'npm test\nok', undefined],
  ])('says %j beyond it', (beyond, output, command) => {
    expect(withoutEcho(output, command)).toBe(beyond);
  });

  it('is recognised by what is below it', () => {
    expect(resultLine('npm test\nok', false, 'npm test')).toBe('ok');
  });
});

describe('a text that is shortened', () => {
  it('says that it was, in a line of 200 characters', () => {
    expect(snippetLine('x'.repeat(200))).toBe('x'.repeat(200));
    expect(snippetLine('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
    expect(snippetLine(`a\n${'x'.repeat(300)}`)).toBe(`a ${'x'.repeat(197)}…`);
    expect(snippetLine(`  ${'é'.repeat(300)}`, 20)).toBe(`${'é'.repeat(19)}…`);
    expect(snippetLine(`a\t${'b'.repeat(40)}`, 20, '')).toBe(`a ${'b'.repeat(18)}`);
    expect(snippetLine('b'.repeat(40), 20, '')).toBe('b'.repeat(20));
    expect(snippetLine(`${'b'.repeat(20)} ${'c'.repeat(9)}`, 20)).toBe(`${'b'.repeat(19)}…`);
    expect(snippetLine('b'.repeat(40), 10)).toBe(`${'b'.repeat(9)}…`);
  });

  it('never ends with half a character', () => {
    expect(snippetLine(`${'é'.repeat(17)}😀😀😀`, 20)).toBe(`${'é'.repeat(17)}😀…`);
    expect(snippetLine(`${'é'.repeat(18)}😀😀😀`, 20)).toBe(`${'é'.repeat(18)}…`);
    expect(snippetLine(`${'é'.repeat(18)}😀😀😀`, 20, '')).toBe(`${'é'.repeat(18)}😀`);
    expect(snippetLine(`${'é'.repeat(19)}😀😀😀`, 20, '')).toBe('é'.repeat(19));
  });

  it('shows the result of a step, with a sign where it was cut at 100 characters', () => {
    expect(shownResult('x'.repeat(99))).toBe('x'.repeat(99));
    expect(shownResult('x'.repeat(100))).toBe(`${'x'.repeat(100)}…`);
    expect(resultLine('x'.repeat(300), false)).toBe('x'.repeat(100));
  });

  it('keeps both ends and says how much is missing', () => {
    expect(headAndTail('abcdefghij', 10)).toBe('abcdefghij');
    expect(headAndTail('abcdefghijk', 10)).toBe('abcde\n… 1 characters left out …\nghijk');
  });
});
