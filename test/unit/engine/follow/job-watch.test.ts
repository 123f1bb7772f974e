import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import { silentLog } from '../../../../src/base/util/log';
import { JobWatch } from '../../../../src/engine/follow/job-watch';
import { Jobs } from '../../../../src/engine/session/jobs';
import type { Session } from '../../../../src/engine/session/session';
import { decodeFile } from '../../../golden/support';
import { FakeClock } from '../../history/support/fake-clock';

const START = Date.parse('2026-03-02T10:00:00Z');
const LOOK = 5_000;

function stage(open: Set<string>) {
  const clock = new FakeClock(START);
  const ends: object[] = [];
  const jobs = {
    running: () => (ends.length > 0 ? [] : [{ id: 'build', output: '/shop/build.log' }]),
    ended: (id: string, at: number, how: object) => ends.push({ id, at, ...how }),
  };
  const session = { facts: { jobs }, lastReadAt: START } as unknown as Session;
  const changed: Session[] = [];
  const watch = new JobWatch(
    { clock, log: silentLog, readSmall: () => 'compiling\n2 errors\n\n', openFiles: async () => new Set(open) },
    { sessions: () => [session], changed: (one) => changed.push(one) },
  );
  watch.wrote(session);
  const look = async () => {
    clock.pass(LOOK);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { look, ends, changed, clock, session };
}

it('sees that a file that was open is no longer written, and how it ended', async () => {
  const open = new Set(['/shop/build.log']);
  const { look, ends, changed, clock, session } = stage(open);
  await look();
  expect(ends).toEqual([]);
  open.clear();
  await look();
  expect(ends).toEqual([{ id: 'build', at: START + 2 * LOOK, lastLine: '2 errors' }]);
  expect(changed).toEqual([session]);
  await look();
  expect(clock.waiting).toBe(0);
});

it('reports nothing for a file that it never saw open', async () => {
  const { look, ends } = stage(new Set());
  for (let looks = 0; looks < 10; looks++) await look();
  expect(ends).toEqual([]);
});

/** Two sub-agents of Claude Code that ended in the background, recorded; the notices from Claude Code itself can be left out. */
async function recorded(isTold: boolean, readFirst: 'child' | 'parent' = 'parent') {
  const folder = join(__dirname, '../../../golden/fixtures/claude-code');
  const { events } = await decodeFile(claudeCode, join(folder, 'j-subagents.jsonl'));
  const child = await decodeFile(claudeCode, join(folder, 'j-subagents.files/subagents/agent-acddf3950c449a612.jsonl'));
  const jobs = new Jobs();
  // The session's own end comes last.
  for (const event of events)
    if (event.type !== 'session_end' && (isTold || event.type !== 'user' || !event.automated))
      jobs.push(event, '/shop');
  const ended = child.events.find(({ type }) => type === 'session_end');
  const parent = events[0]?.session ?? '';
  const changed: Session[] = [];
  const sessionOf = (session: string, facts: object) => ({ options: { session }, facts }) as unknown as Session;
  const parentSession = sessionOf(parent, { jobs });
  const childSession = sessionOf(ended?.session ?? '', { jobs: new Jobs(), parent, ended: { at: ended?.at } });
  const watch = new JobWatch(
    { clock: new FakeClock(START), log: silentLog, readSmall: () => undefined },
    { sessions: () => [parentSession, childSession], changed: (one) => changed.push(one) },
  );
  watch.wrote(readFirst === 'parent' ? childSession : parentSession);
  return { changed, missed: jobs.missed(0, Number.MAX_SAFE_INTEGER), endedAt: ended?.at };
}

it.each(['child', 'parent'] as const)(
  'sees the end of a sub-agent that its parent was not told about, with the %s read first',
  async (first) => {
    const { changed, missed, endedAt } = await recorded(false, first);
    expect(changed).toHaveLength(1);
    expect(missed).toMatchObject({ kind: 'sub_agent', endedAt });
  },
);

it('reports nothing for a sub-agent whose parent was told about its end', async () => {
  expect(await recorded(true)).toMatchObject({ changed: [], missed: null });
});

it('looks every five seconds while a job runs, and not at all if open files cannot be seen', async () => {
  const { clock, look } = stage(new Set(['/shop/build.log']));
  clock.pass(LOOK - 1);
  expect(clock.waiting).toBe(1);
  await look();
  expect(clock.waiting).toBe(1);
  const blind = new FakeClock(START);
  const jobs = { running: () => [{ id: 'build', output: '/shop/build.log' }] };
  const session = { options: { session: 's' }, facts: { jobs } } as unknown as Session;
  const watch = new JobWatch(
    { clock: blind, log: silentLog, readSmall: () => undefined },
    { sessions: () => [session], changed: () => undefined },
  );
  watch.wrote(session);
  expect(blind.waiting).toBe(0);
});
