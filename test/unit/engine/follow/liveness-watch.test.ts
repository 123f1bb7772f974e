import { expect, it, vi } from 'vitest';
import type { AgentAdapter } from '../../../../src/agents/adapter';
import type { Liveness } from '../../../../src/agents/transcripts';
import type { Session } from '../../../../src/engine/session/session';
import { LivenessWatch } from '../../../../src/engine/follow/liveness-watch';

/** A watch over one session whose agent reports what a test lets it report; `look` is the next check. */
function watched(first: Liveness) {
  let said: Liveness | null = first;
  const adapter = {
    id: 'copilot',
    liveness: () => new Map(said ? [['session', said]] : []),
  } as unknown as AgentAdapter;
  const probe = { list: () => [], read: () => undefined, processStart: () => null };
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    after: (milliseconds: number) => {
      waits.push(milliseconds);
      return { dispose: () => undefined };
    },
  };
  const environment = { home: '/home', platform: 'linux', env: {} } as never;
  const session = { facts: { turnOpen: false }, lastReadAt: 0 } as unknown as Session;
  const changed = vi.fn();
  const watch = new LivenessWatch(
    { environment, probe, clock },
    { adapters: () => [adapter], agentOf: () => 'copilot', sessions: () => [session], changed },
  );
  const look = (next: Liveness | null) => {
    said = next;
    watch.check();
    return watch.of('session');
  };
  look(first);
  changed.mockClear();
  return { look, changed, waits };
}

it('reports nothing while nothing changes', () => {
  const { look, changed } = watched({ alive: true, pid: 7, status: 'busy', since: 1 });
  look({ alive: true, pid: 7, status: 'busy', since: 1 });
  expect(changed).not.toHaveBeenCalled();
});

it('recognises the new process of a session that ended and continued between two looks', () => {
  const { look, changed } = watched({ alive: true, pid: 7 });
  expect(look({ alive: true, pid: 8 })).toEqual({ alive: true, pid: 8 });
  expect(changed.mock.calls).toEqual([['session', { alive: true, pid: 8 }]]);
});

it('recognises a second wait that began between two looks', () => {
  const { look } = watched({ alive: true, pid: 7, status: 'waiting', waitingFor: 'permission', since: 1 });
  const second = { alive: true, pid: 7, status: 'waiting', waitingFor: 'permission', since: 2 } as const;
  expect(look(second)).toEqual(second);
});

it('reports once that a process has gone, whatever its registry still says', () => {
  const { look, changed } = watched({ alive: true, pid: 7 });
  look(null);
  expect(look(null)).toEqual({ alive: false, pid: 7 });
  look({ alive: false, pid: 7 });
  look({ alive: false, pid: 6 });
  expect(changed).toHaveBeenCalledTimes(1);
});

it('does not report an agent as dead that is just rewriting its entry', () => {
  const { look, changed, waits } = watched({ alive: true, pid: 7, status: 'busy', since: 1 });
  expect(look(null)).toMatchObject({ alive: true });
  expect(waits.at(-1)).toBe(200);
  look({ alive: true, pid: 7, status: 'waiting', waitingFor: 'permission', since: 2 });
  // Another moment of that kind, much later.
  expect(look(null)).toMatchObject({ alive: true });
  expect(changed).toHaveBeenCalledTimes(1);
});
