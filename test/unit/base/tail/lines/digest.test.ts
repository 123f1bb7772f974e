import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Digest } from '../../../../../src/base/tail/lines/digest';

function digest(pieces: readonly Uint8Array[]): string {
  const sum = new Digest();
  for (const piece of pieces) sum.update(piece, 0, piece.length);
  return sum.end();
}

test('a digest does not depend on how its bytes are split, or where they are in memory', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 }), fc.nat(7), (pieces, shift) => {
      const whole = Buffer.concat([Buffer.alloc(shift), ...pieces]);
      const sum = new Digest();
      sum.update(whole, shift, whole.length);
      expect(digest(pieces)).toBe(sum.end());
    }),
  );
});

test('one changed, added, lost or exchanged byte, anywhere, results in another digest', () => {
  const bytes = Buffer.from('The cost of an event does not depend on the length of the history. '.repeat(20));
  const seen = new Map<string, string>();
  const see = (what: string, changed: Uint8Array): void => {
    const of = digest([changed]);
    expect(seen.get(of) ?? what).toBe(what);
    seen.set(of, what);
  };
  see('itself', bytes);
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] as number) ^ (1 << bit);
      see(`${at}.${bit}`, changed);
    }
  }
  for (let length = 0; length < 600; length++) see(`${length} zeros`, new Uint8Array(length));
  expect(seen.size).toBe(1 + bytes.length * 8 + 600);
});

test('counters in logs, the most common small difference of long outputs, collide in none of 50 000', () => {
  const seen = new Set<string>();
  for (let count = 0; count < 50_000; count++)
    seen.add(digest([Buffer.from(`test ${count} of 50000 took ${count % 97} ms, ${count % 7} left`)]));
  expect(seen.size).toBe(50_000);
});
