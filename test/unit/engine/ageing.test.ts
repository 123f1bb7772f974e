import { describe, expect, it } from 'vitest';
import type { Liveness } from '../../../src/agents/transcripts';
import { silentLog } from '../../../src/base/util/log';
import { Ageing } from '../../../src/engine/ageing';
import type { Session } from '../../../src/engine/session/session';
import { FakeClock } from '../history/support/fake-clock';

const MINUTE = 60_000;
const START = Date.parse('2026-03-02T10:00:00Z');
const GONE: Liveness = { alive: false };

/** A session with one incident of the past, and what was done to it. */
class StubSession {
  readonly did: string[] = [];
  liveness: Liveness | null = null;
  deleted = false;
  readonly options: { readonly session: string; readonly file: string };
  readonly facts: { readonly parent: string | undefined; readonly lastEventAt: number; readonly ended: boolean };
  readonly book = { active: () => [{ id: 'i', history: true }] };
  state = 'working';

  constructor(name: string, parent?: string, lastEventAt = START) {
    this.options = { session: name, file: `/${name}` };
    this.facts = { parent, lastEventAt, ended: false };
  }

  view(): object {
    return { state: { kind: this.state } };
  }
  deadline(): number {
    return Number.POSITIVE_INFINITY;
  }
  end(): void {
    this.did.push('end');
  }
  changeIncident(id: string, { type }: { readonly type: string }): void {
    this.did.push(`${id} ${type}`);
  }
}

function stage(...sessions: readonly StubSession[]) {
  const known = new Map<string, Liveness>();
  const host = {
    sessions: new Map(sessions.map((one) => [one.options.session, one as unknown as Session])),
    files: new Map(),
    startedAt: START,
    livenessOf: (key: string) => known.get(key) ?? null,
    touched: () => undefined,
    across: () => ({ ended: () => undefined }),
  };
  const ageing = new Ageing({ clock: new FakeClock(START), log: silentLog }, host);
  const read = (...ones: readonly StubSession[]) =>
    ageing.caughtUp({ sessions: new Set(ones as unknown as readonly Session[]) } as never);
  return { ageing, known, read, change: (one: StubSession) => ageing.livenessChanged(one as unknown as Session, GONE) };
}

it('a process that begins, or goes on in another state, ends nothing', () => {
  const parent = new StubSession('parent');
  const child = new StubSession('child', 'parent');
  const { ageing } = stage(parent, child);
  ageing.livenessChanged(parent as unknown as Session, { alive: true, status: 'busy' });
  expect([parent.did, child.did, parent.liveness]).toEqual([[], [], { alive: true, status: 'busy' }]);
});

describe('a process that ends', () => {
  it('ends its session and the sub-agents that have no process of their own, at any depth', () => {
    const [parent, child, grandchild, own, other] = [
      new StubSession('parent'),
      new StubSession('child', 'parent'),
      new StubSession('grandchild', 'child'),
      new StubSession('own', 'parent'),
      new StubSession('other'),
    ] as const;
    own.liveness = { alive: true };
    stage(parent, child, grandchild, own, other).change(parent);
    expect([parent, child, grandchild, own, other].map(({ did }) => did)).toEqual([['end'], ['end'], ['end'], [], []]);
    expect([child.liveness, own.liveness]).toEqual([GONE, { alive: true }]);
  });

  it('ends a sub-agent whose transcript is read later', () => {
    const child = new StubSession('child', 'parent');
    const { known, read } = stage(child);
    known.set('parent', GONE);
    read(child);
    expect(child.did).toContain('end');
  });
});

describe('a loop that is found when a window opens', () => {
  //            last line        process
  it.each([
    ['goes on', 9 * MINUTE, null, ['i present']],
    ['is history', 11 * MINUTE, null, []],
    ['goes on', 11 * MINUTE, { alive: true }, ['i present']],
  ])('%s where the last line is %i ms old and the process is %o', (_, age, liveness, did) => {
    const session = new StubSession('s', undefined, START - age);
    session.liveness = liveness;
    stage(session).read(session);
    expect(session.did).toEqual(did);
  });

  it('is history where its session has finished, however lately', () => {
    const session = new StubSession('s', undefined, START - MINUTE);
    session.state = 'finished';
    stage(session).read(session);
    expect(session.did).toEqual([]);
  });
});
