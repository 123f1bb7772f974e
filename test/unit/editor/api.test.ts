import { describe, expect, expectTypeOf, it } from 'vitest';
import type { UnstuckApi as PublishedApi } from '../../../docs/unstuck';
import type { IncidentChange } from '../../../src/engine/events';
import type { Incident } from '../../../src/core/model';
import { type UnstuckApi, createApi } from '../../../src/editor/api';
import { callerOf } from '../../../src/editor/caller';
import { Emitter } from '../../../src/base/util/emitter';
import { T0, attempt, incident } from '../history/support/incidents';
import { agentView } from './support/views';

/** The API over one engine, and everything its listeners receive. */
function stage(views: readonly ReturnType<typeof agentView>[] = []) {
  const changes = new Emitter<IncidentChange>();
  const heard: unknown[] = [];
  const engine = {
    onDidChangeIncident: changes.event,
    agent: (session: string) => views.find((view) => view.session === session),
  };
  const api = createApi(engine, '1.2.3', () => T0);
  return {
    api,
    heard,
    hear: () => ({
      stuck: api.onStuck((session, status) => heard.push([session, status.stuck, status.reason])),
      recovery: api.onRecovery((session, event) => heard.push([session, event])),
    }),
    change: (after: Incident, before: Incident | null) =>
      changes.fire({ incident: after, before, session: after.session }),
  };
}

describe('whether a session is stuck', () => {
  it('is decided by its gravest incident that is not muted', () => {
    const muted = incident({ state: 'muted', detector: 'cycle' });
    const stuck = incident({ count: 9 });
    const { api } = stage([agentView('s', { kind: 'stuck' }, { incidents: [muted, stuck] })]);
    expect(api.isStuck('s')).toEqual({
      stuck: true,
      level: 'stuck',
      detector: 'repeating_action',
      reason: 'repetition_loop',
      confidence: 0.93,
      evidence: stuck.evidence,
      suggestion: stuck.suggestion,
    });
  });

  it('is false for a warning, but the answer still says what was seen', () => {
    const { api } = stage([agentView('s', {}, { incidents: [incident({ level: 'warn' })] })]);
    expect(api.isStuck('s')).toMatchObject({ stuck: false, level: 'warn', detector: 'repeating_action' });
  });

  it('is false once its turn is over or its person has answered, as on every other surface, but the answer keeps what was found', () => {
    const found = { incidents: [incident()] };
    const { api } = stage([
      agentView('answered', { kind: 'waiting', waitingFor: 'turn_end' }, found),
      agentView('died', { kind: 'finished', ended: 'died' }, found),
      agentView('continued', { kind: 'working' }, found),
      agentView('taken', { kind: 'recovering' }, found),
    ]);
    expect(api.isStuck('answered')).toMatchObject({ stuck: false, level: 'stuck', detector: 'repeating_action' });
    expect(api.isStuck('died').stuck).toBe(false);
    expect(api.isStuck('continued').stuck).toBe(false);
    expect(api.isStuck('taken').stuck).toBe(true);
  });

  it('is false for a session without incidents and for an unknown one', () => {
    const free = { stuck: false, level: null, confidence: 0, evidence: [], suggestion: '' };
    const { api } = stage([agentView('s')]);
    expect(api.isStuck('s')).toEqual(free);
    expect(api.isStuck('another')).toEqual(free);
  });
});

describe('a listener for stuck sessions', () => {
  const warned = incident({ id: 'A', level: 'warn', stuckAt: null });
  const stuck = { ...warned, level: 'stuck' as const, stuckAt: T0 };

  it('is called once when an incident becomes stuck, at first or after a warning', () => {
    const { hear, change, heard } = stage();
    hear();
    change(warned, null);
    expect(heard).toEqual([]);
    change(stuck, warned);
    change({ ...stuck, count: 9 }, stuck);
    expect(heard).toEqual([['session-1', true, 'repetition_loop']]);
    change({ ...stuck, id: 'B' }, null);
    expect(heard).toHaveLength(2);
  });

  it('is not called for what is history or muted', () => {
    const { hear, change, heard } = stage();
    hear();
    change({ ...stuck, history: true }, null);
    change({ ...stuck, state: 'muted' }, null);
    expect(heard).toEqual([]);
  });

  it('is not called for a session that it excluded, until it monitors it again', () => {
    const { api, hear, change, heard } = stage();
    hear();
    api.stopMonitoring('session-1');
    change(stuck, null);
    change({ ...stuck, attempts: [attempt()] }, stuck);
    change({ ...stuck, session: 'other' }, null);
    expect(heard).toEqual([['other', true, 'repetition_loop']]);
    api.monitor('session-1');
    change(stuck, null);
    expect(heard).toHaveLength(2);
  });

  it('is not called once it is disposed of', () => {
    const { hear, change, heard } = stage();
    const { stuck: one, recovery } = hear();
    one.dispose();
    recovery.dispose();
    change({ ...stuck, attempts: [attempt()] }, null);
    expect(heard).toEqual([]);
  });
});

describe('a listener for recoveries', () => {
  const open = incident({ id: 'A' });
  const nudged = { ...open, state: 'nudged' as const, attempts: [attempt()] };
  const said = { incident: 'A', kind: 'nudge', attempt: 1, recovered: false };

  it('is called for each step of a message, and when the agent is free', () => {
    const { hear, change, heard } = stage();
    hear();
    change(nudged, open);
    const acted = { ...nudged, attempts: [attempt({ state: 'acted', outcome: 'changed' })] };
    change(acted, nudged);
    change({ ...acted, state: 'recovered' }, acted);
    expect(heard).toEqual([
      ['session-1', { ...said, state: 'queued' }],
      ['session-1', { ...said, state: 'acted', outcome: 'changed' }],
      ['session-1', { ...said, state: 'acted', outcome: 'changed', recovered: true }],
    ]);
  });

  it('is not called where only the count changed, or nothing was tried', () => {
    const { hear, change, heard } = stage();
    hear();
    change({ ...nudged, count: 9 }, nudged);
    change({ ...open, state: 'recovered' }, open);
    change({ ...open, count: 9 }, open);
    const over = { ...nudged, state: 'recovered' as const };
    change({ ...over, updatedAt: T0 }, over);
    expect(heard).toEqual([]);
  });

  it('is called when a message changed nothing, although its state is the same', () => {
    const { hear, change, heard } = stage();
    hear();
    const acted = { ...nudged, attempts: [attempt({ state: 'acted' })] };
    change({ ...nudged, attempts: [attempt({ state: 'acted', outcome: 'same' })] }, acted);
    expect(heard).toEqual([['session-1', { ...said, state: 'acted', outcome: 'same' }]]);
  });

  it('is called for the newest message, even where it is in the same state as the one before it', () => {
    const { hear, change, heard } = stage();
    hear();
    const second = attempt({ attempt: 2, message: '01JDSECOND' });
    change({ ...nudged, attempts: [attempt(), second] }, nudged);
    expect(heard).toEqual([['session-1', { ...said, attempt: 2, state: 'queued' }]]);
  });
});

it('other extensions get what they need for their own loop, on the same clock', () => {
  let now = T0;
  const engine = { agent: () => undefined, onDidChangeIncident: () => ({ dispose: () => {} }) };
  const api = createApi(engine, '1.2.3', () => now);
  const loop = api.createTaskLoop({ timeoutMs: 100 });
  expect(loop.checkStuck()).toBeNull();
  now += 100;
  expect(loop.checkStuck()).toEqual({ kind: 'timeout', elapsedMs: 100 });
  now += 30_000;
  expect([api.version, api.createTaskLoop().checkStuck(), api.validateJsonResponse('{}').valid]).toEqual([
    '1.2.3',
    null,
    true,
  ]);
});

describe('several extensions with one object', () => {
  it('each have their own handle: what one stops, another still receives', () => {
    const changes = new Emitter<IncidentChange>();
    const heard: string[] = [];
    let caller = '';
    const engine = { onDidChangeIncident: changes.event, agent: () => undefined };
    const api = createApi(
      engine,
      '1.2.3',
      () => T0,
      () => caller,
    );
    for (const name of ['a.one', 'b.two', 'c.three']) {
      caller = name;
      api.onStuck((session) => heard.push(`${name} ${session}`));
    }
    caller = 'b.two';
    api.stopMonitoring('session-1');
    caller = '';
    const stuck = incident({ stuckAt: T0 });
    changes.fire({ incident: stuck, before: null, session: 'session-1' });
    changes.fire({ incident: stuck, before: null, session: 'other' });
    expect(heard).toEqual(['a.one session-1', 'c.three session-1', 'a.one other', 'b.two other', 'c.three other']);
  });

  it('are distinguished by the files on the stack', () => {
    const extensions = [
      { id: 'unstuck.unstuck', path: '/x/unstuck.unstuck-0.1.0' },
      { id: 'b.two', path: '/x/b.two-1.0.0' },
      { id: 'b.two-more', path: '/x/b.two-1.0.0-more' },
    ];
    const stack = (...paths: string[]) => ['Error', ...paths.map((path) => `    at f (${path}:3:1)`)].join('\n');
    const own = '/x/unstuck.unstuck-0.1.0/dist/main.js';
    const who = (...paths: string[]) => callerOf(stack(own, ...paths), extensions, 'unstuck.unstuck');
    expect(who('/x/b.two-1.0.0/dist/extension.js', '/vscode/host.js')).toBe('b.two');
    expect(who('/x/b.two-1.0.0-more/extension.js')).toBe('b.two-more');
    expect(who('/vscode/host.js')).toBe('');
    const windows = [{ id: 'b.two', path: 'c:\\x\\b.two' }];
    expect(callerOf(stack('C:\\x\\b.two\\out.js'), windows, 'unstuck.unstuck')).toBe('b.two');
  });
});

it('the API matches the types published for other extensions', () => {
  expectTypeOf<UnstuckApi>().toExtend<PublishedApi>();
  expectTypeOf<keyof UnstuckApi>().toEqualTypeOf<keyof PublishedApi>();
});
