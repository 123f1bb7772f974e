import { expect, it } from 'vitest';
import { generic } from '../../../../src/agents/generic/adapter';
import { TranscriptNotes } from '../../../../src/engine/follow/notes';
import { FakeClock } from '../../history/support/fake-clock';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const turn = () => new Promise((done) => setImmediate(done));

/** Notes of a window, and a transcript about which something is known. */
function stage(hasCache = true) {
  const clock = new FakeClock(100_000);
  const written: string[] = [];
  const cache = {
    read: () => Promise.resolve(undefined),
    write: (_key: string, text: string) => Promise.resolve(void written.push(text)),
  };
  const notes = new TranscriptNotes({ clock, ...(hasCache && { cache }) }, () => ({ detectors: () => ({}) }) as never);
  const one = {
    file: '/t.jsonl',
    adapter: generic,
    readAt: clock.now(),
    note: () => ({ sessions: [['s', { title: `Use ${SECRET}` }]] }),
  };
  const pass = async (ms: number) => {
    clock.pass(ms);
    await turn();
  };
  return { notes, one: one as never, clock, written, pass, readAt: (at: number) => void (one.readAt = at) };
}

it('the note on a transcript holds no secret', async () => {
  const { notes, one, written, pass } = stage();
  notes.soon(one);
  await pass(60_000);
  expect(written).toEqual([expect.stringContaining('Use ')]);
  expect(written[0]).not.toContain(SECRET);
});

it('is written once its agent rests, not while it works, and not again', async () => {
  const { notes, one, written, pass, readAt, clock } = stage();
  notes.soon(one);
  for (let i = 0; i < 20; i++) {
    await pass(1_000);
    readAt(clock.now());
  }
  expect(written).toEqual([]);
  await pass(60_000);
  await pass(60_000);
  expect([written.length, clock.waiting]).toEqual([1, 0]);
});

it('is written soon after the clock was set back by an hour', async () => {
  const { notes, one, written, pass, readAt, clock } = stage();
  readAt(clock.now() + 3_600_000);
  notes.soon(one);
  await pass(10_000);
  expect(written.length).toBe(1);
});

it('is not written if it is forgotten, the window closes, or nothing may be written', async () => {
  const forgotten = stage();
  forgotten.notes.soon(forgotten.one);
  forgotten.notes.forget(forgotten.one);
  const closed = stage();
  closed.notes.soon(closed.one);
  closed.notes.dispose();
  const nowhere = stage(false);
  nowhere.notes.soon(nowhere.one);
  expect([closed.clock.waiting, nowhere.clock.waiting]).toEqual([0, 0]);
  for (const { pass } of [forgotten, closed, nowhere]) await pass(60_000);
  expect([forgotten.written, closed.written, nowhere.written]).toEqual([[], [], []]);
});
