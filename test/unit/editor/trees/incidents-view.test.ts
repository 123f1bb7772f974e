import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import type { IncidentFilter, Learning, RecallHit, StoreStatus } from '../../../../src/history/types';
import { DAY, MINUTE, T0, incident, recovered } from '../../history/support/incidents';
import { editor, type FakeTree, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

import { IncidentsView, type IncidentNode } from '../../../../src/editor/trees/incidents-view';

let now: number;
/** The content of the history, and the part that is known without reading it. */
let kept: Incident[];
let known: Incident[];
let hits: RecallHit[];
let replays: Incident[];
/** Sessions that are in the Agents view. */
let listed: Set<string>;
let status: StoreStatus;
/** Time that reading the history takes, milliseconds. */
let takes: number;
let asked: IncidentFilter[];
let view: IncidentsView;
let drawn: (IncidentNode | undefined)[];

beforeEach(() => {
  resetEditor();
  vi.useFakeTimers({ now: T0 + 15 * MINUTE });
  now = T0 + 15 * MINUTE;
  kept = [];
  known = [];
  hits = [];
  replays = [];
  listed = new Set();
  status = { mode: 'ready' };
  takes = 0;
  asked = [];
  view = new IncidentsView(
    {
      status: () => status,
      current: () => known,
      incidents: async (filter = {}) => {
        asked.push(filter);
        if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes));
        return kept;
      },
      recall: () => Promise.resolve(hits),
    },
    () => now,
    ({ value }) => `chip ${value}`,
    () => replays,
    ({ session }) => listed.has(session),
  );
  drawn = [];
  view.onDidChangeTreeData((row) => drawn.push(row));
});
afterEach(() => {
  view.dispose();
  vi.useRealTimers();
});

const fake = (): FakeTree => editor.trees[0]!;
const rowOf = (node: IncidentNode) => view.row(node);
const ended = (id: string, subject: string, changes: Partial<Incident> = {}) => recovered({ id, subject, ...changes });

/** Returns the list as a person sees it, one line per row. VS Code requests only the rows of open groups. */
async function seen(): Promise<string[]> {
  const lines: string[] = [];
  for (const node of await view.getChildren()) {
    const { label, description = '', children } = rowOf(node);
    lines.push(`${label} | ${description}`);
    if (children === 'open')
      for (const below of await view.getChildren(node))
        lines.push(`  ${rowOf(below).label} | ${rowOf(below).description}`);
  }
  return lines;
}

/** Lets time pass, and finishes what was requested. */
const later = (milliseconds = 1) => vi.advanceTimersByTimeAsync(milliseconds);

/** Returns what was redrawn since the last call: the whole list, groups and rows by name. */
function redrawn(): string[] {
  return drawn.splice(0).map((node) => {
    if (node === undefined) return 'all';
    return node.kind === 'group' ? node.group : node.kind === 'incident' ? node.incident.subject : 'learning';
  });
}

describe('the list of incidents', () => {
  it('shows what is over by day, a replay first, with today open and older days closed', async () => {
    kept = [
      ended('a', 'make', { openedAt: T0 }),
      ended('b', 'npm test', { openedAt: T0 - DAY }),
      ended('c', 'cargo test', { openedAt: T0 - 3 * DAY }),
      ended('d', 'go test', { openedAt: T0 - 20 * DAY }),
    ];
    replays = [ended('e', 'pytest -q')];
    expect(await seen()).toEqual([
      'Replay | 1',
      '  Fix the failing test of the calculator | pytest -q ×4 · 14 min · freed by nudge',
      'Today | 1',
      '  Fix the failing test of the calculator | make ×4 · 14 min · freed by nudge',
      'Yesterday | 1',
      'This week | 1',
      'Earlier | 1',
    ]);
    expect(asked[0]).toMatchObject({ limit: 500 });
  });

  it('leaves what is still open there to the Agents view, and says so', async () => {
    kept = [incident({ session: 'here' })];
    listed = new Set(['here']);
    expect(await seen()).toEqual([]);
    expect(fake().message).toBe('Open incidents are listed in Agents. They move here when they end.');
  });

  it('does not say so if an incident is over or its agent is gone, and says nothing about an empty history', async () => {
    kept = [incident({ session: 'here' }), ended('a', 'make')];
    listed = new Set(['here']);
    expect(await seen()).toHaveLength(2);
    expect(fake().message).toBe('');
    kept = [incident({ session: 'gone' })];
    expect(await seen()).toHaveLength(2);
    expect(fake().message).toBe('');
    kept = [];
    expect(await seen()).toEqual([]);
    expect(fake().message).toBe('');
  });

  it('shows what is known while the history is read, and the rest when it arrives', async () => {
    known = [ended('a', 'make')];
    kept = [...known, ended('b', 'npm test')];
    takes = 1_000;
    const first = seen();
    await later(60);
    expect(await first).toHaveLength(2);
    expect(fake().message).toBe('Reading older incidents…');
    await later(5_000);
    expect(redrawn()).toEqual(['Today']);
    const second = seen();
    await later(5_000);
    expect(await second).toHaveLength(3);
    expect(fake().message).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it('waits for the history instead of saying that there was nothing', async () => {
    kept = [ended('a', 'make')];
    takes = 1_000;
    const first = seen();
    await later(1_000);
    expect(await first).toHaveLength(2);
  });

  it('does not show what is known, which may not match, while a filter is set', async () => {
    known = [ended('a', 'make')];
    takes = 1_000;
    view.narrow({ text: '', chips: [{ kind: 'agent', value: 'codex' }] });
    replays = [ended('e', 'pytest -q')];
    const first = seen();
    await later(1_000);
    expect(await first).toEqual([]);
    expect(fake().message).toBe('Nothing found for chip codex.');
  });

  it('says what is wrong with the history, before what is being read and after what was searched for', async () => {
    status = { mode: 'memory_only', reason: 'disk_full' };
    await seen();
    expect(fake().message).toContain('The disk is full.');
    status = { mode: 'ready', damage: { at: T0, saved: 3, lost: 1, lines: 0, files: ['/home/me/old.sqlite'] } };
    await seen();
    expect(fake().message).toBe('The history was damaged: 3 of 4 incidents saved, 1 lost.');
    view.narrow({ text: 'pytest', chips: [] });
    await seen();
    expect(fake().message).toBe('Nothing found for “pytest”.');
  });
});

describe('a redraw', () => {
  it('covers the row of an open incident whose agent is gone as it gets older, and nothing if everything looks the same', async () => {
    kept = [incident({ id: 'a', subject: 'make', session: 'gone' }), ended('b', 'npm test')];
    await seen();
    view.refresh();
    await later();
    expect(redrawn()).toEqual([]);
    now += MINUTE;
    view.refresh();
    await later(1_000);
    expect(redrawn()).toEqual(['make']);
  });

  it('covers the group in which one more incident ended', async () => {
    kept = [ended('a', 'make'), ended('c', 'cargo test', { openedAt: T0 - 3 * DAY })];
    await seen();
    kept = [ended('b', 'npm test'), ...kept];
    view.refreshNow();
    await later();
    expect(redrawn()).toEqual(['Today']);
    expect(rowOf((await view.getChildren())[0]!).description).toBe('2');
  });

  it('covers the list if a group appears', async () => {
    kept = [ended('a', 'make')];
    await seen();
    kept = [...kept, ended('b', 'npm test', { openedAt: T0 - DAY })];
    view.refreshNow();
    await later();
    expect(redrawn()).toEqual(['all']);
  });

  it('covers the group if six of its rows changed: each row alone costs VS Code as much as the group', async () => {
    const six = ['a', 'b', 'c', 'd', 'e', 'f'];
    kept = six.map((id) => ended(id, `make ${id}`));
    await seen();
    kept = kept.map((one, at) => (at === 0 ? one : { ...one, count: 5 }));
    view.refreshNow();
    await later();
    expect(redrawn()).toEqual(['make b', 'make c', 'make d', 'make e', 'make f']);
    await seen();
    kept = kept.map((one) => ({ ...one, count: 6 }));
    await later(1_000);
    view.refreshNow();
    await later();
    expect(redrawn()).toEqual(['Today']);
  });

  it('covers the whole list, without querying the history, while the view is hidden', async () => {
    kept = [ended('a', 'make')];
    await seen();
    fake().visible = false;
    view.refreshNow();
    await later();
    expect([redrawn(), asked.length]).toEqual([['all'], 1]);
  });

  it('does not happen once the view is gone', async () => {
    kept = [ended('a', 'make')];
    await seen();
    view.refreshNow();
    view.dispose();
    kept = [];
    await later(10_000);
    expect(redrawn()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(fake().dispose).toHaveBeenCalled();
  });
});

describe('a search in the incidents', () => {
  const learning: Learning = {
    id: 'l',
    at: T0,
    session: 's',
    agent: 'codex',
    category: 'debugging',
    title: 'Agent stuck',
    content: 'Run `make clean` first.',
    editedAt: T0,
    confidence: 'high',
    sourceTask: 's',
    tags: [],
    state: 'recovered',
    tried: 'nudge',
  };

  it('shows incidents and learnings, best first, and says how many there are', async () => {
    hits = [
      { kind: 'learning', id: 'l', score: 2, matched: ['make'], learning: { ...learning, pinned: true }, same: ['m'] },
      { kind: 'incident', id: 'a', score: 1, matched: ['make'], incident: ended('a', 'make') },
      { kind: 'learning', id: 'n', score: 0, matched: ['make'], learning: { ...learning, id: 'n' } },
    ];
    view.narrow({ text: 'make', chips: [] });
    expect(await seen()).toEqual([
      'Run make clean first. | learned ×2',
      'Fix the failing test of the calculator | make ×4 · 14 min · freed by nudge',
      'Run make clean first. | learned',
    ]);
    expect(fake().message).toBe('3 for “make”');
    const rows = (await view.getChildren()).map(rowOf);
    expect(rows.map(({ context }) => context)).toEqual(['learning:pinned', 'incident:closed', 'learning']);
    expect(rows.map(({ icon }) => icon?.id)).toEqual(['pinned', 'pass', 'book']);
  });

  it('says if it shows only the first hundred', async () => {
    hits = Array.from({ length: 100 }, (_, at) => {
      return { kind: 'incident', id: `i${at}`, score: 1, matched: [], incident: ended(`i${at}`, 'make') };
    });
    view.narrow({ text: 'make', chips: [] });
    await seen();
    expect(fake().message).toBe('The first 100 for “make”');
  });

  it('opens all groups of a filtered list, and offers to clear the filter until it is cleared', async () => {
    const offered = () => editor.commands.filter(([, key]) => key === 'unstuck.incidentFilter').map(([, , on]) => on);
    kept = [ended('d', 'go test', { openedAt: T0 - 20 * DAY })];
    view.narrow({ text: '', chips: [] });
    view.narrow({ text: '', chips: [{ kind: 'agent', value: 'codex' }] });
    await later(500);
    expect(redrawn()).toContain('all');
    expect(await seen()).toHaveLength(2);
    expect(fake().message).toBe('1 for chip codex');
    view.narrow({ text: '', chips: [] });
    expect(await seen()).toHaveLength(1);
    expect(offered().slice(-2)).toEqual([true, false]);
  });

  it('finds incidents about the same call, and takes the person to them', () => {
    view.showSimilar(incident({ subject: 'pytest -q', detector: 'repeating_action' }));
    expect(view.narrowing).toEqual({ text: 'pytest -q', chips: [{ kind: 'rule', value: 'repeating_action' }] });
    expect(editor.commands.at(-1)).toEqual(['unstuck.incidents.focus']);
  });
});

describe('the row of an incident', () => {
  it('opens that incident, and has the menu of its state', async () => {
    const rows = [incident({ session: 'gone' }), ended('b', 'make'), ended('c', 'make', { outcome: 'not_stuck' })].map(
      (one) => rowOf({ kind: 'incident', incident: one }),
    );
    expect(rows.map(({ context }) => context)).toEqual(['incident:active', 'incident:closed', 'incident:not_stuck']);
    expect(rows[1]?.command).toMatchObject({ command: 'unstuck.showIncident', arguments: [{ id: 'b' }] });
  });

  it('says which agent it was and why in the tooltip and to a screen reader', () => {
    const row = rowOf({ kind: 'incident', incident: ended('b', 'make') });
    expect(row.tooltip).toEqual([
      { text: 'Fix the failing test of the calculator', isStrong: true },
      { text: 'Claude Code, sonnet' },
      { text: expect.stringContaining('pytest -q') },
      { text: 'make ×4 · 14 min · freed by nudge' },
    ]);
    expect(row.spoken).toBe('Fix the failing test of the calculator, make ×4 · 14 min · freed by nudge');
  });
});
