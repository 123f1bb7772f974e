import { describe, expect, it } from 'vitest';
import { keyOfLine } from '../../../../src/agents/claude-code/line-id';

describe('the key of a line', () => {
  it('is the last 48 bits of its UUID, in either case', () => {
    expect(keyOfLine('0b9d3f6a-1c2e-4f5a-8b7c-00000000002a')).toBe(42);
    expect(keyOfLine('0b9d3f6a-1c2e-4f5a-8b7c-ffffffffffff')).toBe(2 ** 48 - 1);
    expect(keyOfLine('0B9D3F6A-1C2E-4F5A-8B7C-0123456789AB')).toBe(0x0123_4567_89ab);
  });

  it.each([
    'msg_012345',
    '',
    '0b9d3f6a-1c2e-4f5a-8b7c-00000000002',
    '0b9d3f6a-1c2e-4f5a-8b7c-00000000002g',
    '0b9d3f6a1-c2e-4f5a-8b7c-00000000002a',
  ])('does not exist for %j', (id) => expect(keyOfLine(id)).toBeUndefined());
});
