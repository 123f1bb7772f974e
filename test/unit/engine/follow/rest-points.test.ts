import { describe, expect, it } from 'vitest';
import type { SessionNote } from '../../../../src/engine/session/session-note';
import type { Copies } from '../../../../src/engine/follow/copies';
import { RestPoints } from '../../../../src/engine/follow/rest-points';
import type { Transcript } from '../../../../src/engine/follow/transcript';

const KIB = 1024;

/** A transcript of one session, where a line says what the session does from then on. */
function stage() {
  const session = {
    options: { session: 's' },
    facts: { turnOpen: false, hasOpenCall: false },
    line: 0,
    note: () => ({ steps: session.line }) as SessionNote,
  };
  const transcript = {
    sessions: new Set([session]),
    line: ({ line, text }: { line: number; text: string }) => {
      session.line = line;
      session.facts = {
        turnOpen: text === 'works' || text === 'calls',
        hasOpenCall: text === 'calls' || text === 'asks',
      };
    },
  };
  const copies = { note: () => [], adopt: () => undefined };
  const points = new RestPoints(transcript as unknown as Transcript, copies as unknown as Copies);
  let line = 0;
  const reads = (text: 'works' | 'calls' | 'asks' | 'rests', kib: number) =>
    points.line({ line: ++line, offset: kib * KIB, text }, 0);
  /** The line up to which all is known. */
  const knownUpTo = () => points.note()?.sessions[0]?.[1].steps;
  return { points, reads, knownUpTo };
}

describe('the note on a transcript', () => {
  it('covers all of it while its agent rests', () => {
    const { reads, knownUpTo } = stage();
    reads('works', 0);
    expect(knownUpTo()).toBeUndefined();
    reads('rests', 1);
    expect(knownUpTo()).toBe(2);
    reads('rests', 2);
    expect(knownUpTo()).toBe(3);
  });

  it('ends at the last rest of the agent, once it works again', () => {
    const { reads, knownUpTo, points } = stage();
    reads('works', 0);
    reads('rests', 300);
    reads('works', 700);
    reads('rests', 1_000);
    reads('works', 1_100);
    expect(knownUpTo()).toBe(4);
    expect(points.note()?.end.last[0]).toBe(1_000 * KIB);
  });

  it('skips a rest close to the last one, unless it was noted', () => {
    const { reads, knownUpTo } = stage();
    reads('works', 0);
    reads('rests', 300);
    reads('works', 400);
    reads('rests', 500);
    reads('works', 600);
    expect(knownUpTo()).toBe(2);
    reads('rests', 601);
    expect(knownUpTo()).toBe(6);
    reads('works', 602);
    expect(knownUpTo()).toBe(6);
  });

  it('does not end at a call without a result, even if that waits for a person', () => {
    const { reads, knownUpTo } = stage();
    reads('works', 0);
    reads('rests', 300);
    reads('asks', 600);
    expect(knownUpTo()).toBe(2);
    reads('calls', 900);
    expect(knownUpTo()).toBe(2);
  });

  it('is the same as long as nothing more is known', () => {
    const { reads, points } = stage();
    reads('rests', 300);
    reads('works', 400);
    const note = points.note();
    reads('works', 800);
    expect(points.note()).toBe(note);
  });
});
