import { describe, expect, it } from 'vitest';
import { roomFor, type Seated, SESSIONS_IN_ALL, SESSIONS_OF_FOLDERS } from '../../../../src/engine/follow/room';

interface Named extends Seated {
  readonly name: string;
}

/** This many sessions, the first written at 1, the next at 2, and so on. */
const seats = (name: string, count: number, given: Partial<Seated> = {}): Named[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `${name}${at + 1}`,
    inFolder: false,
    isShown: true,
    writtenAt: at + 1,
    ...given,
  }));
const inFolder = { inFolder: true };
const never = () => false;
const FREE = { is: 'free' };

describe('room for one more session', () => {
  it('is free below the limit, which is lower for sessions of the folders', () => {
    const stores = seats('store', SESSIONS_IN_ALL - 1);
    const folders = seats('folder', SESSIONS_OF_FOLDERS - 1, inFolder);
    expect(roomFor({ inFolder: false, writtenAt: 0 }, stores, never)).toEqual(FREE);
    expect(roomFor({ inFolder: true, writtenAt: 0 }, folders, never)).toEqual(FREE);
    const full = seats('folder', SESSIONS_OF_FOLDERS, inFolder);
    expect(roomFor({ inFolder: true, writtenAt: 0 }, full, never)).toEqual({ is: 'none', limit: SESSIONS_OF_FOLDERS });
    expect(roomFor({ inFolder: false, writtenAt: 0 }, full, never)).toEqual(FREE);
  });

  it('is made by the one that was written longest ago, and only for a newer one', () => {
    const stores = seats('store', SESSIONS_IN_ALL);
    expect(roomFor({ inFolder: false, writtenAt: 2 }, stores, never)).toMatchObject({ by: { name: 'store1' } });
    expect(roomFor({ inFolder: false, writtenAt: 1 }, stores, never)).toEqual({ is: 'none', limit: SESSIONS_IN_ALL });
    const folders = seats('folder', SESSIONS_OF_FOLDERS, inFolder);
    expect(roomFor({ inFolder: true, writtenAt: 2 }, folders, never)).toMatchObject({ by: { name: 'folder1' } });
  });

  it('is made by the folders for an agent’s own store, however new they are, and never the other way round', () => {
    const crowd = [
      ...seats('store', SESSIONS_IN_ALL - 100),
      ...seats('folder', 100, { inFolder: true, writtenAt: 4e12 }),
    ];
    expect(roomFor({ inFolder: false, writtenAt: 0 }, crowd, never)).toMatchObject({ by: { name: 'folder1' } });
    expect(roomFor({ inFolder: true, writtenAt: 5e12 }, crowd, never)).toMatchObject({ by: { name: 'folder1' } });
    const stores = seats('store', SESSIONS_IN_ALL);
    expect(roomFor({ inFolder: true, writtenAt: 5e12 }, stores, never)).toEqual({ is: 'none', limit: SESSIONS_IN_ALL });
  });

  it('is made first by what is too old to be shown, for folders and stores alike', () => {
    const crowd = [...seats('store', SESSIONS_IN_ALL - 1), ...seats('old', 1, { isShown: false, writtenAt: 9e12 })];
    expect(roomFor({ inFolder: false, writtenAt: 2 }, crowd, never)).toMatchObject({ by: { name: 'old1' } });
    expect(roomFor({ inFolder: true, writtenAt: 0 }, crowd, never)).toMatchObject({ by: { name: 'old1' } });
  });

  it('is made by a new one of a folder before an old one of an agent’s own store', () => {
    const crowd = [...seats('folder', 1, { inFolder: true, writtenAt: 4e12 }), ...seats('store', SESSIONS_IN_ALL - 1)];
    for (const order of [crowd, crowd.toReversed()])
      expect(roomFor({ inFolder: false, writtenAt: 9e12 }, order, never)).toMatchObject({ by: { name: 'folder1' } });
  });

  it('is made by none of those that stay', () => {
    const stores = seats('store', SESSIONS_IN_ALL);
    expect(roomFor({ inFolder: false, writtenAt: 9e12 }, stores, ({ name }) => name === 'store1')).toMatchObject({
      by: { name: 'store2' },
    });
    expect(roomFor({ inFolder: false, writtenAt: 9e12 }, stores, () => true)).toMatchObject({ is: 'none' });
  });
});
