import { expect, it, vi } from 'vitest';
import { BeforeCache } from '../../../../src/editor/recovery/before';
import { incident, MINUTE } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';

const settled = () => new Promise((done) => setImmediate(done));

/** The cache of what helped before, over a history that answers this question. */
function stage(answer: () => Promise<unknown>) {
  let now = 0;
  const asked: string[] = [];
  const log = recordingLog();
  const heard = vi.fn();
  const store = { helpedBefore: ({ id }: { id: string }) => (asked.push(id), answer()) };
  const cache = new BeforeCache({ store, log, now: () => now } as never);
  cache.onDidChange(heard);
  const look = async (id: string, at = now) => {
    now = at;
    const said = cache.of(incident({ id }));
    await settled();
    return said;
  };
  return { look, asked, heard, log, cache };
}

it('the history is queried once a minute for an incident, and listeners are notified of a new answer', async () => {
  const answers = ['one', 'one', 'two', 'three'];
  const { look, asked, heard, cache } = stage(() => Promise.resolve(answers.shift()));
  expect([await look('A'), await look('A'), heard.mock.calls.length]).toEqual([undefined, 'one', 1]);
  expect(asked).toEqual(['A']);
  // The old answer stays until the new one has arrived.
  expect([await look('A', MINUTE + 1), heard.mock.calls.length]).toEqual(['one', 1]);
  expect([await look('A', 2 * MINUTE + 2), heard.mock.calls.length, await look('A')]).toEqual(['one', 2, 'two']);
  cache.dispose();
  await look('B');
  expect([asked, heard.mock.calls.length]).toEqual([['A', 'A', 'A', 'B'], 2]);
});

it('an incident is queried once while the history answers', async () => {
  const { look, asked } = stage(() => new Promise(() => {}));
  await look('A');
  await look('A');
  expect(asked).toEqual(['A']);
});

it('a history that cannot be queried is logged, and queried again after a minute', async () => {
  const { look, asked, log } = stage(() => Promise.reject(new Error('locked')));
  await look('A');
  await look('A');
  expect(log.lines).toEqual([expect.stringContaining('locked')]);
  await look('A', MINUTE + 1);
  expect(asked).toEqual(['A', 'A']);
});

it('the 200 incidents that were queried last are kept', async () => {
  const { look, asked } = stage(() => Promise.resolve('one'));
  for (let i = 0; i < 200; i++) await look(`incident ${i}`);
  await look('incident 0', MINUTE + 1);
  await look('incident 200');
  asked.length = 0;
  await look('incident 0');
  await look('incident 1');
  expect(asked).toEqual(['incident 1']);
});
