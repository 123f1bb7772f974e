import { describe, expect, it, vi } from 'vitest';
import type { IncidentChange } from '../../../../src/engine/events';
import { wireIncident } from '../../../../src/fleet/wire';
import { mayNotify } from '../../../../src/detect/incident';
import type { AgentView } from '../../../../src/core/model';
import type { EngineAgents } from '../../../../src/editor/agent-source';
import { JoinedAgents } from '../../../../src/editor/fleet/joined-agents';
import { RemoteAgents } from '../../../../src/editor/fleet/remote-agents';
import { Emitter } from '../../../../src/base/util/emitter';
import type { Engine } from '../../../../src/engine/engine';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { FakeFleet } from './support/fake-fleet';

/** A window that follows its own agents and those of other machines. */
function stage(...own: readonly AgentView[]) {
  const local = new Map(own.map((view) => [view.session, view]));
  const localChanged = new Emitter<readonly string[]>();
  const localIncident = new Emitter<IncidentChange>();
  const read: string[] = [];
  const here = {
    onDidChange: localChanged.event,
    onDidChangeIncident: localIncident.event,
    agents: () => [...local.values()],
    shownAgent: (key: string) => local.get(key),
    agent: (key: string) => local.get(key),
    timeline: (session: string) => ({ of: session }) as never,
    incidentsOf: (session: string) => [incident({ session })],
    changeIncident: (id: string) => id === 'own',
    readWhole: (session: string) => void read.push(session),
  } as EngineAgents & Pick<Engine, 'readWhole'>;
  const fleet = new FakeFleet();
  const remote = new RemoteAgents(recordingLog());
  const joined = new JoinedAgents(here, remote);
  const changed: string[] = [];
  const incidents: IncidentChange[] = [];
  joined.onDidChange((keys) => changed.push(...keys));
  joined.onDidChangeIncident((change) => incidents.push(change));
  remote.follow(fleet);
  return {
    fleet,
    remote,
    joined,
    changed,
    incidents,
    localIncident,
    read,
    own: (view: AgentView) => {
      local.set(view.session, view);
      localChanged.fire([view.session]);
    },
    ownGone: (session: string) => {
      local.delete(session);
      localChanged.fire([session]);
    },
    shown: () => joined.agents().map(({ session }) => session),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('agents of other machines', () => {
  it('are listed next to those of this one, under their machine', () => {
    const { fleet, joined, shown } = stage(agentView('mine'));
    fleet.machine('build-1', {}, ['nudge', 'stop']);
    fleet.is('build-1', agentView('theirs', { kind: 'stuck' }, { incidents: [incident()] }));
    expect(shown()).toEqual(['mine', 'machine/build-1/theirs']);
    const view = joined.shownAgent('machine/build-1/theirs');
    expect(view).toMatchObject({
      title: 'Task of theirs',
      machine: { name: 'build-1', presence: 'live', accepts: ['nudge', 'stop'] },
      state: { kind: 'stuck' },
      file: '',
    });
    expect(joined.machines()).toEqual([{ name: 'build-1', presence: 'live', lastSeenAt: T0 }]);
  });

  it('are kept apart if two machines report the same session', () => {
    const { fleet, shown } = stage();
    fleet.is('build-1', agentView('s'));
    fleet.is('build-2', agentView('s'));
    expect(shown()).toEqual(['machine/build-1/s', 'machine/build-2/s']);
  });

  it('appear once if this window follows them itself, whichever came first', () => {
    const { fleet, shown, changed, own, ownGone, joined } = stage(agentView('both'));
    fleet.is('this-host', agentView('both'));
    expect(shown()).toEqual(['both']);
    expect(joined.shownAgent('machine/this-host/both')).toBeUndefined();
    changed.length = 0;
    ownGone('both');
    expect(changed).toEqual(['both', 'machine/this-host/both']);
    expect(shown()).toEqual(['machine/this-host/both']);
    own(agentView('both'));
    expect(shown()).toEqual(['both']);
  });

  it('become unknown when their machine goes silent, and known again when it is back', () => {
    const { fleet, joined, changed } = stage();
    fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [incident()] }));
    fleet.is('build-1', agentView('b', { kind: 'finished', ended: 'clean' }));
    fleet.machine('build-1', { presence: 'silent', lastSeenAt: T0 + MINUTE });
    expect(joined.agent('machine/build-1/a')?.state).toEqual({
      kind: 'not_monitored',
      since: T0 + MINUTE,
      lost: 'silent',
    });
    // How it ended is known.
    expect(joined.agent('machine/build-1/b')?.state.kind).toBe('finished');
    expect(joined.machines()).toEqual([{ name: 'build-1', presence: 'silent', lastSeenAt: T0 + MINUTE }]);
    changed.length = 0;
    fleet.machine('build-1', { presence: 'live' });
    expect(changed).toContain('machine/build-1/a');
    expect(joined.agent('machine/build-1/a')?.state.kind).toBe('stuck');
  });

  it('do not change for a heartbeat alone', () => {
    const { fleet, changed } = stage();
    fleet.is('build-1', agentView('a'));
    changed.length = 0;
    fleet.machine('build-1', { lastSeenAt: T0 + 10_000 });
    expect(changed).toEqual([]);
  });

  it('disappear with their machine and with the connection', () => {
    const { fleet, remote, shown, changed } = stage(agentView('mine'));
    const id = fleet.is('build-1', agentView('a'));
    fleet.is('build-2', agentView('b'));
    fleet.gone(id);
    expect(shown()).toEqual(['mine', 'machine/build-2/b']);
    fleet.machineGone('build-2');
    expect(shown()).toEqual(['mine']);
    fleet.is('build-3', agentView('c'));
    changed.length = 0;
    remote.follow(null);
    expect([shown(), changed]).toEqual([['mine'], ['machine/build-3/c']]);
  });

  it('report nothing more once the connection is replaced, or the window is gone', () => {
    const { fleet, remote, changed, shown } = stage();
    const other = new FakeFleet();
    remote.follow(other);
    fleet.is('build-1', agentView('a'));
    expect([shown(), changed]).toEqual([[], []]);
    other.is('build-2', agentView('b'));
    expect(shown()).toEqual(['machine/build-2/b']);
    changed.length = 0;
    remote.dispose();
    other.is('build-2', agentView('c'));
    expect(changed).toEqual([]);
  });

  it('name the agent that started them by its key here', () => {
    const { fleet, joined } = stage();
    fleet.is('build-1', agentView('main'));
    fleet.is('build-1', agentView('sub', {}, { parent: 'main' }));
    expect(joined.agent('machine/build-1/sub')?.parent).toBe('machine/build-1/main');
  });
});

it("a request goes to this window's engine for its own agents, and to the other machine for that machine's agents", () => {
  const { joined, fleet, read, incidents, localIncident, changed } = stage(agentView('mine'));
  fleet.is('build-1', agentView('a'));
  expect([joined.timeline('mine'), joined.timeline('machine/build-1/a')]).toEqual([{ of: 'mine' }, undefined]);
  expect([joined.changeIncident('own', {} as never), joined.changeIncident('other', {} as never)]).toEqual([
    true,
    false,
  ]);
  expect([joined.incidentsOf('mine').length, joined.incidentsOf('machine/build-1/a')]).toEqual([1, []]);
  joined.requestReports('mine');
  joined.requestReports('machine/build-1/a');
  expect(read).toEqual(['mine']);
  localIncident.fire({ incident: incident(), before: null, session: 'mine' });
  expect(incidents.map(({ session }) => session)).toEqual(['mine']);
  joined.dispose();
  changed.length = 0;
  localIncident.fire({ incident: incident(), before: null, session: 'mine' });
  fleet.is('build-1', agentView('b'));
  expect([incidents.length, changed]).toEqual([1, []]);
});

describe('incidents of other machines', () => {
  it('are reported once each, and may notify here even if a person there was notified', () => {
    const { fleet, incidents } = stage();
    const one = incident({ notified: true });
    fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [one] }));
    fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [one] }));
    expect(incidents.map((change) => [change.session, change.incident.id, change.before])).toEqual([
      ['machine/build-1/a', one.id, null],
    ]);
    expect(mayNotify(incidents[0]?.incident ?? one)).toBe('notify');
    expect(incidents[0]?.incident).toMatchObject({ session: 'machine/build-1/a', title: 'Task of a' });
    fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [{ ...one, state: 'escalated' }] }));
    expect(incidents[1]).toMatchObject({ incident: { state: 'escalated' }, before: { state: 'open' } });
  });

  it('keep their key when a relay restarts and gives them another id', () => {
    const { fleet, incidents } = stage();
    for (const id of ['01JD0000000000000000000001', '01JD0000000000000000000002'])
      fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [incident({ id })] }));
    expect(new Set(incidents.map((change) => change.incident.id)).size).toBe(2);
    expect(new Set(incidents.map((change) => change.incident.key))).toEqual(new Set(['repeating_action::88']));
  });

  it('are reported again when a warning becomes stuck or its count grows', () => {
    const { fleet, incidents } = stage();
    const one = incident({ level: 'warn' });
    for (const changes of [{}, { level: 'stuck' as const }, { level: 'stuck' as const, updatedAt: T0 + 11 * MINUTE }])
      fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [{ ...one, ...changes }] }));
    expect(incidents.map(({ incident: { level }, before }) => [level, before?.level ?? null])).toEqual([
      ['warn', null],
      ['stuck', 'warn'],
      ['stuck', 'stuck'],
    ]);
  });

  it('are listed newest first, including those that only a report mentions', async () => {
    const { fleet, joined } = stage();
    const at = (minutes: number) => incident({ openedAt: T0 + minutes * MINUTE });
    const id = fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [at(2)] }));
    const over = (minutes: number) => wireIncident({ ...at(minutes), state: 'recovered', resolvedAt: T0 + 9 * MINUTE });
    fleet.reports(
      id,
      ...[1, 3].map((n) => ({ type: 'incident' as const, incident: over(n), before: 'open' as const })),
    );
    joined.requestReports('machine/build-1/a');
    await settled();
    const minutes = joined.incidentsOf('machine/build-1/a').map(({ openedAt }) => (openedAt - T0) / MINUTE);
    expect(minutes).toEqual([3, 2, 1]);
    expect(joined.incidentsOf('machine/build-1/nobody')).toEqual([]);
  });

  it('are not reported for an agent that this window follows itself', () => {
    const { fleet, incidents } = stage(agentView('both'));
    fleet.is('this-host', agentView('both', { kind: 'stuck' }, { incidents: [incident()] }));
    expect(incidents).toEqual([]);
  });

  it('say how they ended, as their machine reported it', async () => {
    const { fleet, incidents, joined } = stage();
    const one = incident();
    const id = fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [one] }));
    const over = { ...one, state: 'recovered' as const, outcome: 'nudge' as const, resolvedAt: T0 + 20 * MINUTE };
    fleet.reports(id, { type: 'incident', incident: wireIncident(over), before: 'nudged' });
    fleet.is('build-1', agentView('a'));
    await settled();
    expect(incidents.at(-1)).toMatchObject({
      incident: { id: one.id, state: 'recovered', outcome: 'nudge' },
      before: { state: 'open' },
      session: 'machine/build-1/a',
    });
    expect(joined.incidentsOf('machine/build-1/a').map(({ state }) => state)).toEqual(['recovered']);
  });

  it('say how they ended even if a panel is just reading the reports', async () => {
    const { fleet, incidents, joined } = stage();
    const one = incident();
    const id = fleet.is('build-1', agentView('a', { kind: 'stuck' }, { incidents: [one] }));
    let answer = () => {};
    vi.spyOn(fleet, 'timeline').mockImplementationOnce(
      () => new Promise((resolve) => (answer = () => resolve({ ok: true, value: [] }))),
    );
    joined.requestReports('machine/build-1/a');
    const over = { ...one, state: 'recovered' as const, outcome: 'nudge' as const, resolvedAt: T0 + 20 * MINUTE };
    fleet.reports(id, { type: 'incident', incident: wireIncident(over), before: 'nudged' });
    fleet.is('build-1', agentView('a'));
    await settled();
    answer();
    await settled();
    expect(incidents.at(-1)).toMatchObject({ incident: { id: one.id, state: 'recovered', outcome: 'nudge' } });
  });
});

describe('what a machine reported about an agent', () => {
  it('is requested when a person looks, and uses the clock of this machine', async () => {
    const { fleet, joined, changed } = stage();
    fleet.machine('build-1', { aheadMs: 60_000 });
    const id = fleet.is('build-1', agentView('a'));
    fleet.reports(
      id,
      { type: 'state', state: 'stuck', since: T0 },
      { type: 'state', state: 'of a later version', since: T0 },
      { type: 'message', message: '01JD0000000000000000000777', action: 'stop', viewer: 'me', text: 'Stop.' },
      { type: 'receipt', message: '01JD0000000000000000000777', state: 'refused', by: 'relay', reason: 'not_allowed' },
    );
    const key = 'machine/build-1/a';
    expect(joined.reportsOf(key)).toEqual([]);
    changed.length = 0;
    joined.requestReports(key);
    await settled();
    expect(changed).toEqual([key]);
    expect(joined.reportsOf(key)).toEqual([
      { at: T0 - 60_000, kind: 'state', state: 'stuck' },
      { at: T0 - 59_000, kind: 'state', state: null },
      { at: T0 - 58_000, kind: 'message', action: 'stop', viewer: 'me' },
      { at: T0 - 57_000, kind: 'receipt', action: 'stop', state: 'refused', reason: 'not_allowed' },
    ]);
    // However often a person looks while the machine answers, it gets one request.
    const timeline = vi.spyOn(fleet, 'timeline');
    joined.requestReports(key);
    joined.requestReports(key);
    await settled();
    expect(timeline).toHaveBeenCalledTimes(1);
    // Nothing new, so nothing is drawn again.
    joined.requestReports(key);
    await settled();
    expect(changed).toEqual([key]);
  });
});
