import { describe, expect, it } from 'vitest';
import { generic } from '../../../../src/agents/generic/adapter';
import type { FollowedTranscript } from '../../../../src/engine/follow/followed-transcript';
import { SESSIONS_IN_ALL, SESSIONS_OF_FOLDERS } from '../../../../src/engine/follow/room';
import { Seats } from '../../../../src/engine/follow/seats';
import type { Session } from '../../../../src/engine/session/session';

/** Files of agents' own stores, each written at its number, and what happens to them. */
function stage() {
  const sessions = new Map<string, Session>();
  const files = new Map<string, FollowedTranscript>();
  const closed: string[] = [];
  const leftOut: string[] = [];
  const tooOld = new Set<Session>();
  const seats = new Seats({
    sessions,
    files,
    isShown: (session) => !tooOld.has(session),
    unread: { leftOut: (file, _, session) => void leftOut.push(`${file} ${session}`) },
    close: (file) => {
      closed.push(file);
      files.delete(file);
    },
    remove: (session) => {
      sessions.delete(session.options.session);
      seats.left();
    },
  });
  const file = (path: string, writtenAt: number, inFolder = false) => {
    const of = new Set<Session>();
    files.set(path, {
      adapter: generic,
      file: path,
      inFolder,
      sessions: of,
      writtenAt: () => writtenAt,
      drop: (session: Session) => void of.delete(session),
    } as unknown as FollowedTranscript);
    return of;
  };
  const session = (path: string, name: string) => {
    const made = { options: { file: path, session: name }, liveness: null } as unknown as Session;
    sessions.set(name, made);
    return made;
  };
  const asks = (path: string, writtenAt: number, name = 'one more', inFolder = false) =>
    seats.admits({ path, size: 0, modifiedAt: writtenAt, inFolder }, generic, name);
  /** Other files, with a session in each, up to the number that is followed; the first is the oldest. */
  const fill = () => {
    for (let at = sessions.size; at < SESSIONS_IN_ALL; at++) file(`f${at}`, at + 10).add(session(`f${at}`, `s${at}`));
  };
  return { sessions, files, closed, leftOut, tooOld, file, session, asks, fill };
}

describe('a session that another one has to leave for', () => {
  it('closes the file of the session that leaves, if that was its last one, and names it', () => {
    const { asks, fill, closed, leftOut, sessions } = stage();
    fill();
    expect(asks('new', 9_999)).toBe(true);
    expect(closed).toEqual(['f0']);
    expect(leftOut).toEqual(['f0 s0']);
    expect(sessions.size).toBe(SESSIONS_IN_ALL - 1);
  });

  it('takes no place from its own file, which is being read, however old the sessions there are', () => {
    const { asks, fill, closed, file, session, sessions, tooOld } = stage();
    const own = session('reading', 'own');
    file('reading', 9_999).add(own);
    tooOld.add(own);
    fill();
    expect(asks('reading', 9_999)).toBe(true);
    expect(closed).toEqual(['f1']);
    expect(sessions.get('own')).toBe(own);
  });

  it('leaves the file that is being read open, if that has the session as well', () => {
    const { asks, fill, closed, file, files, session, sessions } = stage();
    const shared = session('oldest', 'shared');
    file('oldest', 1).add(shared);
    const reading = file('reading', 9_999);
    reading.add(shared);
    fill();
    expect(asks('reading', 9_999)).toBe(true);
    expect(closed).toEqual(['oldest']);
    expect(files.has('reading')).toBe(true);
    expect(reading.size).toBe(0);
    expect(sessions.has('shared')).toBe(false);
  });

  it('only leaves a file that has others, which stays open', () => {
    const { asks, fill, closed, file, session } = stage();
    const oldest = file('oldest', 1);
    oldest.add(session('oldest', 'a')).add(session('oldest', 'b'));
    fill();
    expect(asks('new', 9_999)).toBe(true);
    expect(closed).toEqual([]);
    expect([...oldest].map(({ options }) => options.session)).toEqual(['b']);
  });
});

it('an agent with its own store keeps its place as long as its process lives', () => {
  const { asks, fill, closed, sessions } = stage();
  fill();
  const oldest = sessions.get('s0');
  if (oldest) oldest.liveness = { alive: true };
  expect(asks('new', 9_999)).toBe(true);
  expect(closed).toEqual(['f1']);
});

it('a transcript in the folder keeps no place by naming a session whose process lives', () => {
  const { asks, file, session, closed } = stage();
  for (let at = 0; at < SESSIONS_OF_FOLDERS; at++) {
    const named = session(`f${at}`, `s${at}`);
    named.liveness = { alive: true };
    file(`f${at}`, at + 10, true).add(named);
  }
  expect(asks('new', 9_999, 'own', true)).toBe(true);
  expect(closed).toEqual(['f0']);
});

it('a session older than all others is left out, again and again, until one of them leaves', () => {
  const { asks, fill, leftOut, closed } = stage();
  fill();
  expect([asks('old', 1, 'x'), asks('old', 1, 'x')]).toEqual([false, false]);
  expect(leftOut).toEqual(['old x', 'old x']);
  expect(asks('new', 9_999)).toBe(true);
  expect(closed).toEqual(['f0']);
  expect(asks('old', 1, 'x')).toBe(true);
});
