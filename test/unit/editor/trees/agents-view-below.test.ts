import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView, Delivery, GateReport, Machine } from '../../../../src/core/model';
import type { Watch } from '../../../../src/core/words';
import { AgentsView } from '../../../../src/editor/trees/agents-view';
import type { AgentNode } from '../../../../src/editor/trees/agent-rows';
import type { Note } from '../../../../src/editor/trees/notes';
import { OrderedAgents } from '../../../../src/editor/trees/roster';
import { gateResult } from '../support/gates';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

let now: number;
let views: Map<string, AgentView>;
let machines: Machine[];
let notes: Note[];
let watch: Watch | undefined;
let roster: OrderedAgents;
let tree: AgentsView;
let drawn: (AgentNode | undefined)[];

beforeEach(() => {
  resetEditor();
  vi.useFakeTimers();
  now = T0 + 12 * MINUTE;
  machines = [];
  notes = [];
  watch = undefined;
  views = new Map();
  roster = new OrderedAgents({
    all: () => [...views.values()],
    one: (session) => views.get(session),
    isListed: () => true,
  });
  tree = new AgentsView({
    roster,
    machines: () => machines,
    lines: () => notes,
    now: () => now,
    watchOf: () => watch,
    isConnected: () => true,
    surfaceOf: () => null,
    placeName: () => 'calc',
    contextFrom: () => 80,
    isMuted: () => false,
    isReplay: () => false,
    placeOf: () => undefined,
  });
  drawn = [];
  tree.onDidChangeTreeData((row) => drawn.push(row));
});
afterEach(() => {
  tree.dispose();
  vi.useRealTimers();
});

function list(...all: readonly AgentView[]): void {
  for (const view of all) views.set(view.session, view);
  roster.update();
}

/** Every row, one line each, including those below rows that start closed. Rows that can be opened say so. */
function seen(nodes: readonly AgentNode[] = tree.getChildren(), indent = ''): string[] {
  return nodes.flatMap((node) => {
    const { label, description = '', children } = tree.row(node);
    const line = `${indent}${label} | ${description}${children === 'closed' ? ' >' : ''}`;
    return [line, ...(children ? seen(tree.getChildren(node), `${indent}  `) : [])];
  });
}

const sent = (id: string, kind: 'nudge' | 'gate' = 'nudge', state: Delivery['state'] = 'queued'): Delivery => ({
  message: {
    v: 1,
    id,
    t: new Date(T0).toISOString(),
    expires: new Date(T0 + 10 * MINUTE).toISOString(),
    agent: 'claude-code',
    session: 'a',
    kind,
    text: 'Look.',
    from: 'unstuck',
    automated: false,
  },
  state,
  times: { [state]: T0 },
});

const failing: GateReport = {
  folder: '/home/me/calc',
  cause: 'command',
  claim: '',
  startedAt: T0,
  endedAt: T0 + MINUTE,
  verdict: 'failed',
  results: [gateResult({ status: 'failed', summary: '2 failed' })],
  attempt: 1,
};

describe('below an agent', () => {
  it('are its incidents, the last three messages, the gates and its sub-agents', () => {
    list(
      agentView(
        'a',
        {},
        {
          incidents: [incident({ subject: 'make', count: 4 })],
          deliveries: [sent('1'), sent('2', 'gate'), sent('3'), sent('4')],
          gates: failing,
        },
      ),
      agentView('b', {}, { parent: 'a' }),
    );
    expect(seen()).toEqual([
      'Working | 1',
      '  Task of a | same result 4 times >',
      '    make | same result 4 times',
      '    Gate feedback | queued 17:00',
      '    Nudge 2 | queued 17:00',
      '    Nudge 3 | queued 17:00',
      '    Gates | 1 failed',
      '    Task of b | sub-agent, thinking',
    ]);
  });

  it.each([
    ['an incident', { incidents: [incident({ subject: 'make', count: 4 })] }],
    ['a message', { deliveries: [sent('1')] }],
    ['a run of its gates', { gates: failing }],
  ])('there are rows to open if it has %s, and none otherwise', (_what, changes) => {
    list(agentView('a', {}, changes), agentView('b'));
    const [a, b] = tree.getChildren(tree.getChildren()[0]).map((node) => tree.row(node).children);
    expect([a, b]).toEqual(['closed', undefined]);
  });

  it('its gravest incident appears once, as the reason why it is stuck', () => {
    const incidents = [incident({ subject: 'make' }), incident({ subject: 'npm test' })];
    for (const kind of ['stuck', 'escalated'] as const) {
      list(agentView('stuck', { kind }, { incidents }));
      expect(seen().slice(-1)).toEqual(['    npm test | same result 4 times']);
      expect(seen().filter((line) => line.includes('make'))).toHaveLength(1);
    }
  });

  it('the effect of a nudge that was taken appears while it is being watched', () => {
    watch = { nudge: 2, takenAt: T0 + 11 * MINUTE, seen: 2, fresh: 2 };
    list(agentView('a', { kind: 'recovering' }, { incidents: [incident()] }));
    const [, , why] = seen();
    expect(why).toBe('    2 of 5 calls after the nudge, all new | ');
  });

  it.each([
    [
      'an incident counts on',
      { incidents: [incident({ id: 'i', count: 4 })] },
      { incidents: [incident({ id: 'i', count: 5 })] },
    ],
    ['a message is delivered', { deliveries: [sent('1')] }, { deliveries: [sent('1', 'nudge', 'seen')] }],
    ['the gates have run', {}, { gates: failing }],
  ])('its row is redrawn when %s', (_what, before, after) => {
    const finished = { kind: 'finished' } as const;
    list(agentView('a', finished, before), agentView('b'));
    seen();
    views.set('a', agentView('a', finished, after));
    roster.update(['a']);
    tree.refresh(['a', 'b']);
    expect(drawn).toMatchObject([{ kind: 'agent', view: { session: 'a' } }]);
  });

  it('the list is redrawn when a sub-agent appears, and not when nothing moves', () => {
    list(agentView('a'), agentView('z'));
    seen();
    tree.refresh(['a']);
    vi.advanceTimersByTime(10_000);
    expect(drawn).toEqual([]);
    list(agentView('b', {}, { parent: 'a' }));
    seen();
    drawn = [];
    list(agentView('c', {}, { parent: 'b' }));
    tree.refresh(['c']);
    vi.advanceTimersByTime(4_000);
    expect(drawn).toContain(undefined);
  });
});

describe('a long list', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => agentView(`s${String(at).padStart(3, '0')}`));

  it('shows fifty rows of a group, and two hundred more on each click', () => {
    list(...many(260));
    expect(seen()).toHaveLength(52);
    expect(seen()[0]).toBe('Working | 260');
    expect(seen().at(-1)).toBe('  Show 200 More of 210 | ');
    tree.showMore();
    expect(drawn).toEqual([undefined]);
    expect(seen()).toHaveLength(252);
    expect(seen().at(-1)).toBe('  Show 10 More of 10 | ');
    tree.showMore();
    expect(seen()).toHaveLength(261);
  });

  it('shows no such row if all of them are there', () => {
    list(...many(50));
    expect(seen().at(-1)).toBe('  Task of s049 | thinking');
  });

  it('redraws the ages of shown rows only, and lets other work run in between', async () => {
    const waits = many(260).map(({ session }) =>
      agentView(session, { kind: 'waiting', waitingFor: 'turn_end', since: T0 }),
    );
    list(...waits);
    tree.showMore();
    seen();
    vi.advanceTimersByTime(5_000);
    drawn = [];
    now += MINUTE;
    let breaths = 0;
    await tree.refreshAges('all', () => Promise.resolve(void breaths++));
    expect(breaths).toBe(5);
    expect(drawn).toEqual([undefined]);
  });

  it('redraws the ages of a group below one that fills the list', async () => {
    const working = many(60).map((view) => ({ ...view, state: { ...view.state, since: now } }));
    const waiting = agentView('below', { kind: 'waiting', waitingFor: 'turn_end', since: T0 });
    list(...working, waiting);
    seen();
    vi.advanceTimersByTime(5_000);
    drawn = [];
    now += MINUTE;
    await tree.refreshAges('full_minute', async () => {});
    expect(drawn).toMatchObject([{ kind: 'agent', view: { session: 'below' } }]);
  });

  it('waits four seconds after it was drawn in full because the ages of fifty rows changed', async () => {
    list(...many(50).map((view) => ({ ...view, state: { kind: 'finished', since: T0 } as const })));
    const aMinuteLater = async () => {
      seen();
      now += MINUTE;
      await tree.refreshAges('all', async () => {});
    };
    await aMinuteLater();
    vi.advanceTimersByTime(1_000);
    await aMinuteLater();
    vi.advanceTimersByTime(2_800);
    expect(drawn).toEqual([undefined]);
    vi.advanceTimersByTime(400);
    expect(drawn).toEqual([undefined, undefined]);
  });
});

describe('other machines', () => {
  const machine = (changes: Partial<Machine> = {}): Machine => ({
    name: 'build-1',
    presence: 'live',
    lastSeenAt: T0,
    ...changes,
  });
  const there = (session: string, more: Partial<AgentView> = {}) =>
    agentView(session, {}, { ...more, machine: { ...machine(), accepts: [] } });

  it('are below the agents of this one, each with its own agents and their place', () => {
    machines = [machine()];
    list(agentView('a'), there('b'), there('c', { parent: 'b' }));
    expect(seen()).toEqual([
      'Working | 1',
      '  Task of a | thinking',
      'build-1 | 1 agent',
      '  Task of b | thinking · calc >',
      '    Task of c | sub-agent, thinking · calc',
    ]);
  });

  it('say how long ago they were last seen, as time passes', async () => {
    machines = [machine({ presence: 'silent' }), machine({ name: 'build-2' })];
    list(agentView('a'), there('b'));
    seen();
    now += MINUTE;
    await tree.refreshAges('full_minute', async () => {});
    expect(drawn).toEqual([]);
    await tree.refreshAges('all', async () => {});
    expect(drawn).toMatchObject([{ kind: 'machine', machine: { name: 'build-1' } }]);
    expect(drawn[0] && tree.row(drawn[0]).description).toBe('last seen 13 min ago');
  });
});

describe('the view', () => {
  it('says in a line below the agents what else there is', () => {
    notes = [{ id: 'folders', text: '3 sessions of other folders', command: 'unstuck.showAll' }];
    list(agentView('a'));
    const row = tree.getChildren().at(-1);
    expect(row && tree.row(row)).toMatchObject({ label: notes[0]?.text, command: { command: 'unstuck.showAll' } });
    expect(row && tree.getChildren(row)).toEqual([]);
  });

  it('has a full tooltip on an agent, and on nothing else', () => {
    list(agentView('a', { kind: 'finished' }));
    const [group] = tree.getChildren();
    const [row] = tree.getChildren(group);
    expect(group && tree.hover(group)).toBeUndefined();
    expect(row && tree.hover(row)?.map(({ text }) => text)).toEqual([
      'Task of a',
      'Claude Code, sonnet',
      'Finished after 10 min.',
      'Since 17:00, 12 min. 3 of 3 steps seen.',
    ]);
  });

  it('draws nothing once it is disposed of', () => {
    list(agentView('a'), agentView('b'));
    seen();
    tree.refresh();
    expect(vi.getTimerCount()).toBe(1);
    tree.dispose();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(drawn).toEqual([]);
  });
});
