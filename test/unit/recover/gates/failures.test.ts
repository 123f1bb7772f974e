import { expect, it } from 'vitest';
import { readGateOutput } from '../../../../src/recover/gates/failures';

it('secrets and control characters do not get into a failure', () => {
  const [one] = readGateOutput(
    'src/a.py:1:1: error: token=ghp_abcdefghijklmnopqrstuvwxyz0123456789 \u202e\u0007x\n',
  ).failures;
  expect(one?.message).not.toContain('ghp_');
  expect(one?.message).not.toMatch(/[\u0007\u202e]/);
});

it('at most 50 failures of one gate are kept, of at most 300 characters each', () => {
  const lines = Array.from({ length: 80 }, (_, at) => `src/a.c:${at + 1}:1: error: ${'long '.repeat(100)}${at}`);
  const { failures } = readGateOutput(lines.join('\n'));
  expect(failures).toHaveLength(50);
  for (const { message } of failures) expect(message.length).toBeLessThanOrEqual(300);
});
