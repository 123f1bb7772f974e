import { describe, expect, it } from 'vitest';
import { errorLine, resultLine } from '../../../../src/detect/sayings/snippet';

describe('the line by which a person knows a result', () => {
  const echo = '\n> shop@1.0.0 test\n> node test.js\n\n';

  it('is what a script says, not what npm says before it', () => {
    expect(resultLine(`${echo}FAIL total: expected 7, got 5\n`, true)).toBe('FAIL total: expected 7, got 5');
    expect(resultLine(`${echo}sum is 5 and should be 7\n`, true)).toBe('sum is 5 and should be 7');
    expect(resultLine(`${echo}7 tests ok\n`, false)).toBe('7 tests ok');
    expect(errorLine(`> @acme/shop@1.0.0 build\n> make\n\nstopped at 3`)).toBe('stopped at 3');
  });

  it('is that of npm where the script said nothing', () => {
    expect(resultLine(echo, true)).toBe('> shop@1.0.0 test > node test.js');
  });

  it('is the last that tells of a failure; the word FAIL alone counts where nothing else does', () => {
    expect(resultLine('FAIL src/a.test.ts\n1 failed, 2 passed\nDone in 3 s', true)).toBe('1 failed, 2 passed');
    expect(resultLine('started\nFAIL a\nFAIL b\nended', true)).toBe('FAIL b');
  });

  it('of a quotation is the quotation: only the lines of a package manager are left out', () => {
    expect(resultLine('> first\n> second', false)).toBe('> first');
  });
});
