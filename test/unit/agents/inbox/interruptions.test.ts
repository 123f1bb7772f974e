import { describe, expect, it } from 'vitest';
import { heldFor, LONGEST_HELD, notedInterruptions } from '../../../../src/agents/inbox/interruptions';

const MINUTE = 60_000;
const written = 100 * MINUTE;
const after = (minutes: number) => written + minutes * MINUTE;

describe('the time of a message stands still while a person has interrupted its agent', () => {
  it('but only for the part after the message was written: before that it kept no one from taking it', () => {
    expect(heldFor([{ from: after(-30), until: after(-20) }], written, after(10))).toBe(0);
    expect(heldFor([{ from: after(-30), until: after(2) }], written, after(10))).toBe(2 * MINUTE);
    expect(heldFor([{ from: after(-30), until: null }], written, after(10))).toBe(10 * MINUTE);
  });

  it('for each of several interruptions, and for a day at most', () => {
    const twice = [
      { from: after(1), until: after(3) },
      { from: after(5), until: null },
    ];
    expect(heldFor(twice, written, after(6))).toBe(3 * MINUTE);
    expect(heldFor(twice, written, after(3 * 24 * 60))).toBe(LONGEST_HELD);
  });
});

it('an interruption ends when the person writes, and another one is a further line', () => {
  const first = notedInterruptions([], after(1), after(1));
  expect(first).toEqual([{ from: after(1), until: null }]);
  expect(notedInterruptions(first, after(1), after(2))).toEqual(first);
  const ended = notedInterruptions(first, null, after(3));
  expect(ended).toEqual([{ from: after(1), until: after(3) }]);
  expect(notedInterruptions(ended, after(5), after(5))).toEqual([...ended, { from: after(5), until: null }]);
});

// window A: interrupted │ A: the person wrote │ window B, behind: interrupted │ A and B: the person wrote
it('counts once, though one of two windows learns later than the other that the person has written', () => {
  const since = after(1);
  const begun = notedInterruptions([], since, after(1));
  const ended = notedInterruptions(begun, null, after(21));
  const behind = notedInterruptions(ended, since, after(21));
  const both = notedInterruptions(behind, null, after(21));
  expect(both).toEqual([{ from: after(1), until: after(21) }]);
  expect(heldFor(both, written, after(30))).toBe(20 * MINUTE);
});
