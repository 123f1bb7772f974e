import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView, Incident } from '../../../src/core/model';
import { Drawing, type DrawingParts } from '../../../src/editor/drawing';
import { OrderedAgents } from '../../../src/editor/trees/roster';
import { systemClock } from '../../../src/base/clock';
import { Emitter } from '../../../src/base/util/emitter';
import { MINUTE, T0, incident } from '../history/support/incidents';
import { agentView } from './support/views';
import { changes, editor, resetEditor, workspace } from './support/vscode';

vi.mock('vscode', () => import('./support/vscode'));
/** Context keys of the menus and the empty views. */
const keys = vi.hoisted(() => new Map<string, unknown>());
vi.mock('../../../src/editor/context-keys', () => ({
  setContext: (key: string, value: unknown) => void keys.set(key, value),
}));

let drawings: Drawing[];
beforeEach(() => {
  resetEditor();
  vi.useFakeTimers({ now: T0 });
  drawings = [];
  keys.clear();
});
afterEach(() => {
  for (const drawing of drawings) drawing.dispose();
  vi.useRealTimers();
});

/** A window with these agents, and what was drawn in it, in order. */
function stage(...there: readonly AgentView[]) {
  const views = new Map(there.map((view) => [view.session, view]));
  const roster = new OrderedAgents({
    all: () => [...views.values()],
    one: (session) => views.get(session),
    isListed: () => true,
  });
  const did: string[] = [];
  const draws = (name: string) => (what?: string | readonly string[]) =>
    void did.push(what === undefined ? name : `${name} ${[what].flat().join(' ')}`);
  const said = { above: undefined as string | undefined, badge: 0 };
  const state = { paused: false, failed: false, seen: false, ignored: [] as string[], empty: true };
  const on = {
    change: new Emitter<readonly string[]>(),
    incident: new Emitter<{ incident: Incident; before: Incident | null }>(),
    store: new Emitter<void>(),
    status: new Emitter<void>(),
    read: new Emitter<void>(),
    setting: new Emitter<void>(),
    pause: new Emitter<void>(),
    list: new Emitter<void>(),
    stop: new Emitter<void>(),
    panel: new Emitter<void>(),
    overview: new Emitter<void>(),
    routes: new Emitter<void>(),
    seen: new Emitter<void>(),
    failure: new Emitter<void>(),
    visibility: new Emitter<void>(),
  };
  const tree = {
    visible: true,
    onDidChangeVisibility: on.visibility.event,
    sayAbove: (text: string | undefined) => void (said.above = text),
    setBadge: (count: number) => void (said.badge = count),
  };
  const parts = {
    configuration: {
      onDidChange: on.setting.event,
      onDidPause: on.pause.event,
      get isPaused() {
        return state.paused;
      },
      settings: state,
    },
    earlier: { onDidRead: on.read.event },
    list: {
      roster,
      views: () => roster.list,
      audible: () => roster.list,
      onDidChange: on.list.event,
      placeName: () => 'calc',
    },
    agents: {
      tree,
      refresh: draws('agents'),
      redraw: draws('all agents'),
      refreshAges: (which: string) => Promise.resolve(draws('ages')(which)),
    },
    incidents: { refresh: draws('incidents'), refreshNow: draws('incidents now') },
    overview: { update: draws('overview'), onDidShow: on.overview.event },
    panels: { update: draws('panels'), onDidShow: on.panel.event },
    routes: { onDidChange: on.routes.event },
    seen: { onDidChange: on.seen.event, look: draws('look'), has: () => state.seen, hasIncident: () => state.seen },
    watchFailure: {
      onDidChange: on.failure.event,
      get isFailed() {
        return state.failed;
      },
    },
  };
  const services = {
    agents: { onDidChange: on.change.event, onDidChangeIncident: on.incident.event, machines: () => [] },
    store: { onDidChange: on.store.event, onDidChangeStatus: on.status.event, isEmpty: () => state.empty },
    replayed: { onDidStop: on.stop.event },
    settings: () => ({ gates: { when: 'off' } }),
    now: () => Date.now(),
    beat: systemClock,
  };
  const drawing = new Drawing(services as never, parts as unknown as DrawingParts);
  drawings.push(drawing);
  did.length = 0;
  const become = (view: AgentView) => {
    views.set(view.session, view);
    on.change.fire([view.session]);
  };
  /** Returns what was drawn since the last call. */
  const drawn = () => did.splice(0);
  return { drawing, state, on, tree, views, said, become, drawn };
}

const context = (name: string) => keys.get(`unstuck.${name}`);
const stuck = agentView('s', { kind: 'stuck' }, { incidents: [incident()] });

describe('a change of an agent', () => {
  it('is shown everywhere at once: rows, panel, overview, status bar, badge and menus', () => {
    const { become, said, drawn } = stage(agentView('s'));
    expect(editor.item.text).toBe('$(pulse) 1');
    become(stuck);
    expect(drawn()).toEqual(['agents s', 'panels s', 'overview s', 'look']);
    expect(editor.item.text).toBe('$(warning) 1 stuck');
    expect(said.badge).toBe(1);
    expect([context('hasAgents'), context('needsYou')]).toEqual([true, true]);
    become(agentView('s', { kind: 'waiting', waitingFor: 'permission', since: T0 }));
    expect(context('needsYou')).toBe(true);
    expect(said.badge).toBe(0);
    become(agentView('s'));
    expect(context('needsYou')).toBe(false);
  });

  it('offers to continue once the limit that stopped an agent has opened, even if nothing else happens', () => {
    const until = T0 + 5_000;
    const { become } = stage(agentView('s'));
    become(agentView('s', { kind: 'waiting', waitingFor: 'limit', since: T0 - MINUTE, until }));
    expect(context('limitOpened')).not.toBe(true);
    vi.advanceTimersByTime(10_000);
    expect(context('limitOpened')).toBe(true);
  });

  it('does not highlight what a person has seen', () => {
    const { state, on } = stage(stuck);
    expect(editor.item.text).toBe('$(warning) 1 stuck');
    const { backgroundColor } = editor.item;
    state.seen = true;
    on.seen.fire();
    expect([backgroundColor !== undefined, editor.item.backgroundColor]).toEqual([true, undefined]);
  });
});

describe('the list of incidents', () => {
  const one = incident();

  it.each([
    ['begins', one, null],
    ['turns stuck', one, { ...one, level: 'warn' }],
    ['ends', { ...one, state: 'recovered' }, one],
  ] as const)('is drawn at once where an incident %s', (_what, now, before) => {
    const { on, drawn } = stage(stuck);
    on.incident.fire({ incident: now, before });
    expect(drawn()).toEqual(['incidents now']);
  });

  it('is not drawn at once for a new count: that comes with the history', () => {
    const { on, drawn, state } = stage(stuck);
    on.incident.fire({ incident: { ...one, count: 9 }, before: one });
    expect(drawn()).toEqual([]);
    state.empty = false;
    on.store.fire();
    expect([drawn(), context('hasIncidents')]).toEqual([['incidents'], true]);
  });

  it('is drawn at once where the history is in trouble', () => {
    const { on, drawn } = stage();
    on.status.fire();
    expect(drawn()).toEqual(['incidents now']);
  });
});

describe('above the agents', () => {
  it('a message says that watching is paused, until it continues', () => {
    const { state, on, said, drawn } = stage(agentView('s'));
    state.paused = true;
    on.pause.fire();
    expect([said.above, drawn()]).toEqual(['Watching is paused', ['overview']]);
    state.paused = false;
    on.pause.fire();
    expect(said.above).toBeUndefined();
  });

  it('a message says that files are polled, and which settings of an untrusted folder do not apply', () => {
    const { state, on, said } = stage(agentView('s'));
    state.failed = true;
    on.failure.fire();
    expect(said.above).toBe('Checking every 2 s');
    workspace.isTrusted = false;
    on.setting.fire();
    expect(said.above).toBe('Restricted mode: reading only');
    state.ignored = ['unstuck.detectors'];
    on.setting.fire();
    expect(said.above).toBe('Restricted mode: reading only. This folder’s own settings for watching do not apply.');
  });
});

describe('as time goes', () => {
  it('one age is checked when its minute is full, all ages every ten seconds, and the list itself every minute', () => {
    const { drawn } = stage(
      agentView('s', { since: T0 - MINUTE + 3_000 }),
      agentView('later', { since: T0 - 2 * MINUTE + 6_700 }),
    );
    vi.advanceTimersByTime(3_000);
    expect(drawn()).toEqual(['ages full_minute']);
    vi.advanceTimersByTime(4_000);
    expect(drawn()).toEqual(['ages full_minute']);
    vi.advanceTimersByTime(3_000);
    expect(drawn()).toEqual(['ages all']);
    vi.advanceTimersByTime(50_000);
    expect(drawn().filter((one) => !one.startsWith('ages'))).toEqual(['overview']);
  });

  it('nothing is done while there is no agent', () => {
    const { drawn } = stage();
    vi.advanceTimersByTime(60_000);
    expect(drawn()).toEqual([]);
  });

  it('the clock ticks every ten seconds while the list is closed, and draws no row', () => {
    const { tree, on, drawn } = stage(agentView('s'));
    tree.visible = false;
    on.visibility.fire();
    for (let tick = 0; tick < 5; tick++) vi.advanceTimersToNextTimer();
    expect(Date.now() - T0).toBe(50_000);
    expect(drawn()).toEqual(['look']);
  });

  it('the status bar updates each full minute how long an agent has waited, even while the list is closed', () => {
    const { tree, on } = stage(agentView('s', { kind: 'waiting', waitingFor: 'question', since: T0 - MINUTE + 1_500 }));
    tree.visible = false;
    on.visibility.fire();
    const before = (editor.item.tooltip as { value: string }).value;
    vi.advanceTimersByTime(2_000);
    expect((editor.item.tooltip as { value: string }).value).not.toBe(before);
  });
});

describe('drawing updates everything', () => {
  const all = ['agents', 'incidents', 'panels', 'overview'];

  it.each(['list', 'stop', 'setting'] as const)('when the list, a replay or a setting changes', (what) => {
    const { on, drawn } = stage(agentView('s'));
    on[what].fire();
    expect(drawn()).toEqual(all);
  });

  it('when the colors change', () => {
    const { drawn } = stage(agentView('s'));
    changes.theme.fire();
    expect(drawn()).toEqual(['all agents', ...all]);
  });

  it('but otherwise only what changed', () => {
    const { on, drawn } = stage(agentView('s'));
    on.read.fire();
    expect(drawn()).toEqual(['agents', 'incidents']);
    on.routes.fire();
    expect(drawn()).toEqual(['panels', 'agents']);
    on.panel.fire();
    on.overview.fire();
    expect(drawn()).toEqual(['look', 'look']);
  });
});

it('nothing is drawn once the window is gone', () => {
  const { drawing, on, drawn } = stage(agentView('s'));
  drawing.dispose();
  on.list.fire();
  on.change.fire(['s']);
  changes.theme.fire();
  vi.advanceTimersByTime(60_000);
  expect([drawn(), vi.getTimerCount()]).toEqual([[], 0]);
  expect(editor.item.dispose).toHaveBeenCalled();
});
