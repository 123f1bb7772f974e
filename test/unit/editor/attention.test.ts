import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentList } from '../../../src/editor/agent-list';
import { keepHistory } from '../../../src/engine/history/keep';
import { isTurn } from '../../../src/editor/drawing';
import { Workplaces } from '../../../src/editor/workplaces';
import { Replays } from '../../../src/editor/replay/sessions';
import { Seen } from '../../../src/editor/seen';
import { Emitter } from '../../../src/base/util/emitter';
import { silentLog } from '../../../src/base/util/log';
import { MINUTE, T0, incident } from '../history/support/incidents';
import { agentView } from './support/views';
import { recordingLog } from '../support/log';
import { resetEditor, window, windowStates } from './support/vscode';

vi.mock('vscode', () => import('./support/vscode'));

beforeEach(resetEditor);

describe('what a person has seen', () => {
  const view = agentView(
    's',
    { kind: 'stuck' },
    { incidents: [incident({ id: 'A' }), incident({ id: 'W', level: 'warn' })] },
  );

  it('is what was in view while the window had the focus', () => {
    window.state.focused = false;
    const seen = new Seen(() => [view]);
    seen.look();
    expect([seen.has(view), seen.hasIncident('A')]).toEqual([false, false]);
    window.state.focused = true;
    windowStates.fire();
    expect([seen.has(view), seen.hasIncident('A')]).toEqual([true, true]);
  });

  it('changes only with something new', () => {
    const seen = new Seen(() => [view]);
    const changed = vi.fn();
    seen.onDidChange(changed);
    seen.look();
    seen.look();
    expect(changed).toHaveBeenCalledTimes(1);
    seen.dispose();
  });

  it('includes warnings, which need not be looked at', () => {
    const warned = agentView('s', {}, { incidents: [incident({ level: 'warn' })] });
    expect(new Seen(() => []).has(warned)).toBe(true);
    expect(new Seen(() => []).has(view)).toBe(false);
  });
});

describe('the list of agents', () => {
  const ended = agentView('ended', { kind: 'finished', ended: 'clean' }, { history: true });
  function list() {
    let now = T0;
    const shown: string[] = [];
    const replays = new Replays();
    const engine = {
      agents: () => [agentView('a'), ended],
      shownAgent: () => undefined,
      otherSessions: () => [
        { file: '/new', session: 'n', modifiedAt: T0 - 1 },
        { file: '/old', session: 'o', modifiedAt: T0 - 1_000 },
      ],
      show: (file: string) => void shown.push(file),
    };
    const made = new AgentList(
      engine,
      engine as never,
      () => ({ maxAgeMs: 1_000 }),
      () => now,
      new Workplaces(
        () => ['/home/me/calc', '/home/me/shop'],
        () => undefined,
      ),
      replays,
    );
    made.onDidChange(() => made.roster.update());
    made.roster.update();
    return { list: made, replays, shown, later: (ms: number) => void (now += ms) };
  }
  const names = (views: readonly { session: string }[]) => views.map(({ session }) => session);

  it('shows what ended earlier only when a person asks for it', () => {
    const { list: agents } = list();
    expect(names(agents.views())).toEqual(['a']);
    agents.showFinished(true);
    expect(names(agents.views())).toEqual(['a', 'ended']);
    agents.showFinished(false);
    expect(names(agents.views())).toEqual(['a']);
  });

  it('marks the agents of a replay, and drops them when it is stopped', () => {
    const { list: agents, replays } = list();
    const [view] = agents.views();
    if (!view) throw new Error('no agent');
    expect(agents.placeName(view)).toBe('');
    replays.add('a');
    expect([agents.placeName(view), agents.placeOf(view)]).toEqual(['replay', { folder: 'replay' }]);
    let told = 0;
    replays.onDidStop(() => told++);
    replays.stop();
    replays.stop();
    agents.roster.update();
    expect([names(agents.views()), replays.shown(), replays.has('a'), told]).toEqual([[], [], true, 1]);
    agents.roster.update(['a']);
    expect(names(agents.views())).toEqual([]);
  });

  it('keeps a muted agent, and keeps it quiet until the mute is over', () => {
    const { list: agents, later } = list();
    expect(names(agents.audible())).toEqual(['a']);
    agents.mute('a', T0 + 100);
    expect([names(agents.views()), names(agents.audible()), agents.isMuted('a')]).toEqual([['a'], [], true]);
    later(100);
    expect([names(agents.audible()), agents.isMuted('a')]).toEqual([['a'], false]);
  });

  it('counts recent sessions of other folders until it shows them', () => {
    const { list: agents, shown } = list();
    expect(agents.hiddenOthers()).toBe(1);
    agents.showOtherFolders(true);
    expect([shown, agents.hiddenOthers()]).toEqual([['/new'], 0]);
    agents.showOtherFolders(false);
    expect([shown, agents.hiddenOthers()]).toEqual([['/new'], 1]);
  });
});

describe('the history', () => {
  it('gets an event when the state or the level of an incident changes, not for each count', () => {
    expect(isTurn(incident(), null)).toBe(true);
    expect(isTurn(incident({ state: 'nudged' }), incident())).toBe(true);
    expect(isTurn(incident(), incident({ level: 'warn' }))).toBe(true);
    expect(isTurn(incident({ count: 9 }), incident())).toBe(false);
  });

  it('has the facts of each turn, and the log says where they cannot be kept', async () => {
    const incidents = new Emitter<unknown>();
    const events: unknown[] = [];
    const log = recordingLog();
    let keeps = true;
    const kept = () => (keeps ? Promise.resolve() : Promise.reject(new Error('disk full')));
    const store = {
      save: kept,
      appendEvent: (event: unknown) => {
        events.push(event);
        return kept();
      },
    };
    const engine = { onDidChange: () => ({ dispose: () => {} }), onDidChangeIncident: incidents.event };
    keepHistory({ engine, store, log } as never);
    incidents.fire({ incident: incident({ id: 'A' }), before: null });
    expect(events).toMatchObject([
      { t: T0 + 10 * MINUTE, type: 'StuckObservation', session: 'session-1', agent: 'claude-code', incident: 'A' },
    ]);
    keeps = false;
    incidents.fire({ incident: incident(), before: null });
    await new Promise((resolve) => setImmediate(resolve));
    expect(log.lines).toEqual([
      'warn: an incident could not be kept: Error: disk full',
      'warn: the event log could not be written: Error: disk full',
    ]);
  });

  it('knows when each session ran, and where and as what if that is known', () => {
    const sessions = new Emitter<readonly string[]>();
    const seen: unknown[] = [];
    const { model: _model, cwd: _cwd, ...bare } = agentView('bare');
    const views = new Map([
      ['s', agentView('s', {}, { role: 'reviewer' })],
      ['bare', bare],
    ]);
    const engine = {
      onDidChange: sessions.event,
      onDidChangeIncident: () => ({ dispose: () => {} }),
      shownAgent: (session: string) => views.get(session),
    };
    const store = { sawSession: (one: unknown) => void seen.push(one) };
    keepHistory({ engine, store, log: silentLog } as never);
    sessions.fire(['s', 'bare']);
    const times = { agent: 'claude-code', firstAt: T0, lastAt: bare.health.lastEventAt };
    expect(seen).toEqual([
      { ...times, steps: 0, session: 's', model: 'sonnet', role: 'reviewer', folder: '/home/me/calc' },
      { ...times, steps: 0, session: 'bare' },
    ]);
  });

  it('keeps each change of an incident, and each session that is shown', () => {
    const incidents = new Emitter<unknown>();
    const sessions = new Emitter<readonly string[]>();
    const kept: string[] = [];
    const store = {
      save: ({ count }: { count: number }) => Promise.resolve(void kept.push(`incident ${count}`)),
      appendEvent: ({ type }: { type: string }) => Promise.resolve(void kept.push(type)),
      sawSession: ({ session }: { session: string }) => void kept.push(`session ${session}`),
    };
    const engine = {
      onDidChange: sessions.event,
      onDidChangeIncident: incidents.event,
      shownAgent: (session: string) => (session === 'gone' ? undefined : agentView(session)),
    };
    const writing = keepHistory({ engine, store, log: silentLog } as never);
    const first = incident();
    incidents.fire({ incident: first, before: null, session: 's' });
    incidents.fire({ incident: { ...first, count: 5 }, before: first, session: 's' });
    sessions.fire(['s', 'gone']);
    writing.dispose();
    sessions.fire(['s']);
    expect(kept).toEqual(['incident 4', 'StuckObservation', 'incident 5', 'session s']);
  });
});
