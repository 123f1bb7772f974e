import { expect, it } from 'vitest';
import { Discovery } from '../../../../src/engine/follow/discovery';
import { folder } from '../../support/folder';
import { FakeClock } from '../../history/support/fake-clock';

const DAY = 86_400_000;
const NOW = 100 * DAY;
const FILE = '/home/ada/.local/share/opencode/opencode.db';

/** A window with an open folder, and a database of sessions; `alive`: those whose process lives. */
function stage(...alive: readonly string[]) {
  const open = folder();
  const discovery = new Discovery(
    { clock: new FakeClock(NOW), tail: {} } as never,
    { folders: [open], maxAgeMs: DAY } as never,
    { isAlive: (session: string) => alive.includes(session), reread: () => undefined } as never,
  );
  const wants = (session: string, { cwd = open, age = 0 } = {}) =>
    discovery.wants({ session, cwd, modifiedAt: NOW - age }, { id: 'opencode' } as never, FILE);
  const earlier = async () => {
    const { transcripts } = await discovery.earlierTranscripts(() => false, 10);
    return transcripts.flatMap(({ sessions }) => [...(sessions ?? [])]);
  };
  return { discovery, wants, earlier };
}

it('a session of a database is followed in its folder while it is new, and left to the history when it is old', async () => {
  const { wants, earlier } = stage();
  expect([wants('new', { age: DAY }), wants('old', { age: DAY + 1 })]).toEqual([true, false]);
  expect(await earlier()).toEqual(['old']);
  // It is resumed.
  expect(wants('old')).toBe(true);
  expect(await earlier()).toEqual([]);
});

it('an old one is followed while its process lives: it may have waited for days', async () => {
  const { wants, earlier } = stage('old');
  expect(wants('old', { age: 9 * DAY })).toBe(true);
  expect(await earlier()).toEqual([]);
});

it('one of another folder is named, and followed only on request', () => {
  const { discovery, wants } = stage();
  expect(wants('other', { cwd: '/elsewhere' })).toBe(false);
  expect(discovery.otherSessions()).toMatchObject([{ session: 'other', cwd: '/elsewhere' }]);
  discovery.show(FILE, 'other');
  expect([wants('other', { cwd: '/elsewhere' }), discovery.otherSessions()]).toEqual([true, []]);
});
