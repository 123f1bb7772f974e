import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import { AgentsView } from '../../../../src/editor/trees/agents-view';
import type { AgentNode } from '../../../../src/editor/trees/agent-rows';
import { OrderedAgents } from '../../../../src/editor/trees/roster';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
vi.mock('../../../../src/editor/trees/theme-icon', () => ({ themeIcon: () => undefined }));

const NOW = T0 + 12 * MINUTE;
let now: number;
let contextFrom: number;
let views: Map<string, AgentView>;
let places: Record<string, string>;
let roster: OrderedAgents;
let tree: AgentsView;
let drawn: (AgentNode | undefined)[];

const permission = { id: '1', name: 'Bash', subject: 'npm publish', command: 'npm publish' };
const asks = agentView('asks', { kind: 'waiting', waitingFor: 'permission', since: T0, calls: [permission] });
const stuck = agentView(
  'stuck',
  { kind: 'stuck', since: T0 },
  { incidents: [incident({ subject: 'make', count: 4 })] },
);
const works = agentView('works', {}, { doing: { kind: 'tool', subject: 'npm ci', since: T0 } });

beforeEach(() => {
  vi.useFakeTimers();
  now = NOW;
  contextFrom = 80;
  views = new Map([works, stuck, asks].map((view) => [view.session, view]));
  places = {};
  roster = new OrderedAgents({
    all: () => [...views.values()],
    one: (session) => views.get(session),
    isListed: () => true,
  });
  roster.update();
  tree = new AgentsView({
    roster,
    machines: () => [],
    lines: () => [],
    now: () => now,
    watchOf: () => undefined,
    isConnected: () => true,
    surfaceOf: (view) => (view.session === 'asks' ? 'terminal' : null),
    placeName: ({ session }) => places[session] ?? 'calc',
    contextFrom: () => contextFrom,
    isMuted: () => false,
    isReplay: ({ session }) => session === 'replayed',
    placeOf: () => undefined,
  });
  drawn = [];
  tree.onDidChangeTreeData((row) => drawn.push(row));
});
afterEach(() => {
  tree.dispose();
  vi.useRealTimers();
});

/** The tree as a person sees it, one line per row. */
function seen(nodes: readonly AgentNode[] = tree.getChildren(), indent = ''): string[] {
  return nodes.flatMap((node) => {
    const { label, description = '', children } = tree.row(node);
    const below = children === 'open' ? seen(tree.getChildren(node), `${indent}  `) : [];
    return [`${indent}${label} | ${description}`, ...below];
  });
}

function change(view: AgentView): void {
  views.set(view.session, view);
  roster.update([view.session]);
  tree.refresh([view.session]);
}

describe('the view of agents', () => {
  it('says for each agent that needs me since when and why, without hovering', () => {
    expect(seen()).toEqual([
      'Needs you | 1',
      '  12 min · Task of asks | ',
      '    wants to run npm publish | ',
      'Stuck | 1',
      '  12 min · Task of stuck | ',
      '    same result 4 times: make | ',
      'Working | 1',
      '  Task of works | npm ci',
    ]);
  });

  it('says the same to a screen reader', () => {
    const heard = tree
      .getChildren()
      .slice(0, 2)
      .flatMap((group) => tree.getChildren(group))
      .map((row) => tree.row(row).spoken);
    expect(heard).toEqual([
      'Task of asks, waiting for you, 12 minutes, Claude Code, wants to run npm publish',
      'Task of stuck, stuck, 12 minutes, Claude Code, same result 4 times: make',
    ]);
  });

  it('has the same buttons on the line that says why', () => {
    const [group] = tree.getChildren();
    const [row] = tree.getChildren(group);
    const [why] = tree.getChildren(row);
    expect(row && why && [tree.row(row).context, tree.row(why).context]).toEqual([
      'agent:waiting:permission:terminal',
      'agent:waiting:permission:terminal',
    ]);
  });

  it('names the place only if it differs between rows of one group', () => {
    change(agentView('more', {}, { doing: { kind: 'tool', subject: 'make', since: T0 } }));
    places = { more: 'shop' };
    expect(seen().slice(-2)).toEqual(['  Task of more | make · shop', '  Task of works | npm ci · calc']);
    expect(seen()[1]).toBe('  12 min · Task of asks | ');
    places['replayed'] = 'replay';
    change(agentView('replayed', { kind: 'waiting', waitingFor: 'turn_end', since: T0 }));
    expect(seen().slice(-2)).toEqual(['Your turn | 1', '  Task of replayed | 12 min · replay']);
  });

  it('shows a sub-agent below its parent, but in a group if it needs a person', () => {
    change(agentView('child', {}, { parent: 'works' }));
    const group = tree.getChildren().at(-1);
    const [parent] = tree.getChildren(group);
    expect(seen(tree.getChildren(parent))).toEqual(['Task of child | sub-agent, thinking']);
    change(agentView('child', { kind: 'waiting', waitingFor: 'question', since: T0 }, { parent: 'works' }));
    expect(seen().slice(0, 5)).toEqual([
      'Needs you | 2',
      '  12 min · Task of asks | ',
      '    wants to run npm publish | ',
      '  12 min · Task of child | sub-agent',
      '    asks a question | ',
    ]);
    expect(tree.getChildren(tree.getChildren(tree.getChildren().at(-1))[0])).toEqual([]);
  });

  it('redraws a changed sub-agent, although only its parent was read in between', () => {
    change(agentView('child', {}, { parent: 'works' }));
    const [parent] = tree.getChildren(tree.getChildren().at(-1));
    tree.getChildren(parent);
    vi.advanceTimersByTime(300);
    drawn = [];
    const doing = { kind: 'tool', subject: 'make', since: T0 } as const;
    views.set('child', agentView('child', {}, { parent: 'works', doing }));
    roster.update(['child']);
    if (parent) tree.row(parent);
    tree.refresh(['child']);
    expect(drawn).toMatchObject([{ kind: 'agent', view: { session: 'child' } }]);
  });

  it('redraws a row at once, and lets rows that move settle for 3 s', () => {
    seen();
    change({ ...works, state: { kind: 'stuck', since: NOW } });
    expect(drawn).toMatchObject([{ kind: 'agent', view: { session: 'works' } }]);
    vi.advanceTimersByTime(2_900);
    expect(drawn).not.toContain(undefined);
    vi.advanceTimersByTime(600);
    expect(drawn).toContain(undefined);
    expect(tree.movedAt).toBe(NOW);
    expect(seen()[3]).toBe('Stuck | 2');
  });

  it('says how full the context is, from the percentage that the person set', () => {
    const full = agentView('full', {}, { health: { ...works.health, contextTokens: 172_000, contextWindow: 200_000 } });
    const ended = { ...full, session: 'ended', state: { kind: 'finished', since: NOW } } as const;
    change(full);
    change(ended);
    const rows = () => seen().filter((row) => row.includes('context'));
    expect(rows()).toEqual(['  Task of full | thinking · context 86 %']);

    contextFrom = 87;
    expect(rows()).toEqual([]);
    contextFrom = 0;
    expect(rows()).toEqual([]);
  });

  it('redraws an age within the second in which its minute is full, and no other row', async () => {
    const later = agentView('later', { kind: 'waiting', waitingFor: 'question', since: T0 + MINUTE / 2 });
    change(later);
    seen();
    await tree.refreshAges('all', async () => {});
    vi.runAllTimers();
    drawn = [];

    now = NOW + MINUTE / 2 - 1;
    await tree.refreshAges('full_minute', async () => {});
    vi.runAllTimers();
    expect(drawn).toEqual([]);

    now++;
    await tree.refreshAges('full_minute', async () => {});
    vi.runAllTimers();
    expect(drawn.map((row) => (row?.kind === 'agent' ? row.view.session : row?.kind))).toEqual(['later']);
  });

  it('redraws no row while VS Code still fetches rows', () => {
    change(works);
    seen();
    vi.runAllTimers();
    drawn = [];
    void editor.trees.at(-1)?.provider.getChildren();
    change({ ...works, doing: { kind: 'tool', subject: 'npm test', since: T0 } });
    vi.advanceTimersByTime(250);
    expect(drawn).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(drawn).toHaveLength(1);
  });

  it('shows its first agents at once', () => {
    views.clear();
    roster.update();
    expect(seen()).toEqual([]);
    change(works);
    expect(drawn).toEqual([undefined]);
  });
});
