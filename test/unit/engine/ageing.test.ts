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
  readonly facts: { readonly parent: string | undefined; readonly lastEventAt: number; ended: boolean };
  readonly book = { active: () => [{ id: 'i', history: true }] };
  state = 'working';

  constructor(name: string, parent?: string, lastEventAt = START) {
    this.options = { session: name, file: `/${name}` };
    this.facts = { parent, lastEventAt, ended: false };
  }

  view(): object {
    return { state: { kind: this.state } };
  }
  due = Number.POSITIVE_INFINITY;
  deadline(): number {
    return this.due;
  }
  tick(now: number): void {
    this.did.push(`tick ${now - START}`);
    this.due = Number.POSITIVE_INFINITY;
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
  const files = new Map<string, object>();
  const touched: string[] = [];
  const clock = new FakeClock(START);
  const host = {
    sessions: new Map(sessions.map((one) => [one.options.session, one as unknown as Session])),
    files,
    startedAt: START,
    livenessOf: (key: string) => known.get(key) ?? null,
    touched: (session: string) => void touched.push(session),
    across: () => ({ ended: () => undefined }),
  };
  const ageing = new Ageing({ clock, log: silentLog }, host as never);
  const read = (...ones: readonly StubSession[]) =>
    ageing.caughtUp({ sessions: new Set(ones as unknown as readonly Session[]) } as never);
  return {
    ageing,
    known,
    read,
    clock,
    files,
    touched,
    change: (one: StubSession) => ageing.livenessChanged(one as unknown as Session, GONE),
  };
}

it('a process that begins, or continues in another state, ends nothing', () => {
  const parent = new StubSession('parent');
  const child = new StubSession('child', 'parent');
  const { ageing } = stage(parent, child);
  ageing.livenessChanged(parent as unknown as Session, { alive: true, status: 'busy' });
  expect([parent.did, child.did, parent.liveness]).toEqual([[], [], { alive: true, status: 'busy' }]);
});

describe('a process that ends', () => {
  it('ends its session and the sub-agents without their own process, at any depth', () => {
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
  ])('%s if the last line is %i ms old and the process is %o', (_, age, liveness, did) => {
    const session = new StubSession('s', undefined, START - age);
    session.liveness = liveness;
    stage(session).read(session);
    expect(session.did).toEqual(did);
  });

  it('is history if its session has finished, however recently', () => {
    const session = new StubSession('s', undefined, START - MINUTE);
    session.state = 'finished';
    stage(session).read(session);
    expect(session.did).toEqual([]);
  });
});

describe('the passing of time', () => {
  const wait = (...changes: readonly ((one: StubSession, files: Map<string, object>) => void)[]) => {
    const [due, other] = [new StubSession('due'), new StubSession('other')];
    const { ageing, clock, files, touched } = stage(due, other);
    due.due = START + 5_000;
    for (const change of changes) change(due, files);
    ageing.wrote(due as unknown as Session);
    clock.pass(4_999);
    const before = [...due.did];
    clock.pass(10_000);
    ageing.dispose();
    clock.pass(600_000);
    return [before, due.did, touched, other.did];
  };

  it('is passed to a session when it may have something new to report, and to no other', () => {
    expect(wait()).toEqual([[], ['tick 5000'], ['due'], []]);
  });

  it.each<[string, (one: StubSession, files: Map<string, object>) => void]>([
    ['its transcript was deleted', (one) => void (one.deleted = true)],
    ['it has ended', (one) => void (one.facts.ended = true)],
    ['its process is gone', (one) => void (one.liveness = GONE)],
    ['lines of it are still to be read', ({ options }, files) => void files.set(options.file, { isBehind: true })],
  ])('is not passed to a session if %s', (_, change) => {
    expect(wait(change)).toEqual([[], [], [], []]);
  });
});

it('a change without a line is drawn at once, and checked again when its time comes; after the end no timer is left', () => {
  const session = new StubSession('s');
  const { ageing, clock, touched } = stage(session);
  session.due = START + 5_000;
  ageing.changed(session as unknown as Session);
  expect(touched).toEqual(['s']);
  clock.pass(5_000);
  expect(session.did).toEqual(['tick 5000']);
  session.due = START + 60_000;
  ageing.changed(session as unknown as Session);
  ageing.dispose();
  expect(clock.waiting).toBe(0);
});

it('the row of a sub-agent is drawn again when the process of its parent is gone', () => {
  const parent = new StubSession('parent');
  const { change, touched } = stage(parent, new StubSession('child', 'parent'));
  change(parent);
  expect(new Set(touched)).toEqual(new Set(['child', 'parent']));
});
