import { describe, expect, test } from 'vitest';
import { comparedNumbers } from '../../../../src/detect/sayings/assertion';

const without = (output: string): string => {
  let shown = '';
  let at = 0;
  for (const [start, end] of comparedNumbers(output)) {
    shown += `${output.slice(at, start)}…`;
    at = end;
  }
  return shown + output.slice(at);
};

describe('a check fails for the same reason, whatever numbers it compared', () => {
  test.each([
    ['E       assert -6 == 6', 'E       assert … == …'],
    ['    assert 1.5 == 2e-7', '    assert … == …'],
    ['AssertionError: 3 !== 7', 'AssertionError: … !== …'],
    ['expected 3 to be 4', 'expected … to be …'],
    ['  Expected: 6', '  Expected: …'],
    ['\tReceived: 0', '\tReceived: …'],
    ['received 1e+3', 'received …'],
    ['actual 4', 'actual …'],
    ['Actual: 4', 'Actual: …'],
    ['  left: 5', '  left: …'],
    [' right: 6', ' right: …'],
    ['- Expected 12', '- Expected …'],
    ['+ Received 13', '+ Received …'],
    ['+ actual 1', '+ actual …'],
    ['- expected 2', '- expected …'],
    ['got 5, want 6', 'got …, want …'],
    ['got: 5', 'got: …'],
    ['want: 6', 'want: …'],
    ['FAILED tests/test_a.py::test_3[4-5] - assert 6 == 7', 'FAILED tests/test_a.py::test_3[4-5] - assert … == …'],
  ])('%s', (line, expected) => {
    expect(without(line)).toBe(expected);
    expect(without(`2 tests\n${line}\n3 failed`)).toBe(`2 tests\n${expected}\n3 failed`);
  });

  test.each(
    [
      '3 failed, 4 passed | x assert 3 | E assert 3 | reasserted 3 | asserts 3 | gotten 5 | wanted 6',
      'expectedly 3 | left 5 | -- Expected 3 | FAILED test_3[4] | xFAILED a - 3',
    ].flatMap((line) => line.split(' | ')),
  )('but “%s” counts', (line) => {
    expect(without(`1 of 2\n${line}`)).toBe(`1 of 2\n${line}`);
  });

  test.each(['assert 1.2.3', 'assert v1 == x2', 'assert a.5', 'assert 3.py', 'assert 1.0rc1.x', 'assert test_3'])(
    'and so does a name or a version: %s',
    (line) => {
      expect(without(line)).toBe(line);
    },
  );
});
