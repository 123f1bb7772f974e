import { describe, expect, test } from 'vitest';
import { isSpoken } from '../../../../src/detect/sayings/spoken';
import { callOf, commandCall } from '../support/one-step';

describe('an agent that has to call a tool speaks through its shell', () => {
  test.each([
    'echo "Session concluded. Awaiting further instructions."',
    "printf 'All tests pass now!'",
    'echo -n "Is there anything else?"',
    'echo -e -n "All done here."',
    '  echo   "All done…"  ;  ',
    'echo "All done.  "',
    'echo "Все готово."',
    "echo 'It costs $5 to run.'",
  ])('%s', (command) => {
    expect(isSpoken(commandCall(command))).toBe(true);
  });

  test.each([
    'echo "done"',
    'echo "done."',
    'echo "All done"',
    'echo "a b."',
    'echo "It costs $5 to run."',
    'echo "It ran `date` now."',
    'echo "A line\\n and one more."',
    'echo "All done." > notes.txt',
    'echo "All done."; make',
    'echo "All done." && make',
    'echo All done.',
    'echo -x "All done."',
    'echo ""',
    'echos "All done."',
    'make; echo "All done."',
    `echo "${'All done. '.repeat(50)}."`,
  ])('but does something with %s', (command) => {
    expect(isSpoken(commandCall(command))).toBe(false);
  });

  test('not if it writes a file, or calls no shell', () => {
    expect(isSpoken(callOf({ kind: 'changed', command: 'echo "All done."' }))).toBe(false);
    expect(isSpoken(callOf())).toBe(false);
  });

  test('in 500 characters at most', () => {
    const of = (length: number) => `echo "All ${'x'.repeat(length - 12)}."`;
    expect(of(500)).toHaveLength(500);
    expect(isSpoken(commandCall(of(500)))).toBe(true);
    expect(isSpoken(commandCall(of(501)))).toBe(false);
  });
});
