import { describe, expect, it } from 'vitest';
import type { OverviewIntent, OverviewRow } from '../../../../src/editor/panel-model';
import {
  groupsOf,
  itemsOf,
  matches,
  headingSummary,
  placeWithin,
} from '../../../../src/editor/webview/overview/groups';
import { pressed } from '../../../../src/editor/webview/overview/keys';
import {
  FRESH_OVERVIEW,
  type OverviewLocal,
  type OverviewModel,
  modelOf,
  received,
  windowOf,
} from '../../../../src/editor/webview/overview/model';
import { NO_ORDER, type Order, ordered } from '../../../../src/editor/webview/overview/order';
import { fromOverviewState, toOverviewState } from '../../../../src/editor/webview/overview/state';
import { stripWords } from '../../../../src/editor/webview/overview/strip';
import {
  hostileAgents,
  machines,
  manyAgents,
  noAgents,
  oneMoreStuck,
  restrictedAgents,
  stoppedAgents,
  tenAgents,
} from './support/overview-fixtures';
import { NOW } from './support/panel-fixtures';

const TEN = tenAgents();
const titles = (rows: readonly OverviewRow[]) => rows.map(({ title }) => title.slice(0, 12));
const mapOf = (rows: readonly OverviewRow[]) => new Map(rows.map((row) => [row.session, row]));

function model(local: Partial<OverviewLocal> = {}, message = TEN): OverviewModel {
  const rows = mapOf(message.rows);
  const order = ordered(NO_ORDER, rows, message.order, false, NOW);
  return modelOf({ rows, order, local: { ...FRESH_OVERVIEW, ...local }, now: NOW, restricted: false, paused: false });
}

describe('the groups of the overview', () => {
  it('are by what agents need, most urgent first', () => {
    expect(model().groups.map(({ name, count }) => `${name} ${count}`)).toEqual([
      'Needs you 1',
      'Stuck 3',
      'Working 5',
      'Finished 1',
    ]);
  });

  it('are by machine if there are others', () => {
    const groups = model({ grouping: 'machine' }, machines()).groups.map(({ name, count }) => `${name}: ${count}`);
    expect(groups).toEqual([
      'This machine: 1 needs you · 3 stuck · 10 agents',
      'build-1: 1 stuck · 2 agents',
      'build-2: last seen 4 min ago · 1 agent',
    ]);
    const [here, first] = model({ grouping: 'machine' }, machines()).groups;
    expect([here?.id, first?.id]).toEqual(['this machine', 'machine build-1']);
  });

  it('are found by the name of a machine', () => {
    const rows = machines().rows.filter((one) => matches(one, 'build-1'));
    expect(titles(rows)).toEqual(['Upgrade the ', 'Translate th']);
  });

  it('are by folder, with the folder of the worst agent first', () => {
    expect(model({ grouping: 'folder' }).groups.map(({ name, count }) => `${name}: ${count}`)).toEqual([
      'billing: 1 needs you · 3 agents',
      'shop: 2 stuck · 5 agents',
      'dates: 1 stuck · 2 agents',
    ]);
    const nowhere = TEN.rows.map((row) => ({ ...row, folder: '' }));
    expect(groupsOf(nowhere, 'folder', new Map(), 10, NOW).map(({ name }) => name)).toEqual(['Unknown folder']);
  });

  it('fold what needs nothing if there are many agents, unless the reader unfolds it', () => {
    const folded = (local: Partial<OverviewLocal> = {}) =>
      model(local, manyAgents())
        .groups.filter(({ isOpen }) => !isOpen)
        .map(({ id }) => id);
    expect(folded()).toEqual(['working', 'finished']);
    expect(
      folded({
        folded: new Map([
          ['working', false],
          ['stuck', true],
        ]),
      }),
    ).toEqual(['stuck', 'finished']);
    expect(model().groups.every(({ isOpen }) => isOpen)).toBe(true);
  });

  it('mention no new results if one agent had none', () => {
    const rows = TEN.rows.filter(({ standing }) => standing === 'working');
    const late = rows.map((row, index) => (index === 0 ? { ...row, lastNewAt: NOW - 10 * 60_000 } : row));
    expect(groupsOf(late, 'need', new Map(), 2, NOW)[0]?.name).toBe('Working');
  });

  it('by folder do not repeat the folder on each row', () => {
    const [row] = TEN.rows.filter(({ place }) => place === 'shop, fix-checkout');
    if (!row) throw new Error('there is no such row');
    expect((['need', 'folder'] as const).map((grouping) => placeWithin(row, grouping))).toEqual([
      'shop, fix-checkout',
      'fix-checkout',
    ]);
    expect(placeWithin({ place: 'shop', folder: 'shop' }, 'folder')).toBe('');
    expect(placeWithin({ place: 'shopping', folder: 'shop' }, 'folder')).toBe('shopping');
  });

  it('do not count a sub-agent as an agent', () => {
    const family = TEN.rows.map((row, index) => ({ ...row, isSubAgent: index >= 8 }));
    expect(headingSummary(family)).toBe('1 needs you · 3 stuck · 8 agents, 2 sub-agents');
    expect(headingSummary(family.slice(9))).toBe('1 sub-agent, does not need you');
  });

  it('are summed up next to the heading', () => {
    expect(headingSummary(TEN.rows)).toBe('1 needs you · 3 stuck · 10 agents');
    const working = TEN.rows.filter(({ standing }) => standing === 'working');
    expect(headingSummary(working)).toBe('2 agents, none needs you');
    expect(headingSummary(working.slice(1))).toBe('1 agent, does not need you');
    expect(headingSummary([])).toBe('');
  });
});

describe('an agent that stopped before its work was done', () => {
  it('needs you, and offers to continue; a run of a loop has its number', () => {
    const rows = stoppedAgents().rows.filter(({ act }) => act === 'continue');
    expect(rows.map(({ standing, state, run }) => [standing, state.waitingFor, run])).toEqual([
      ['needs_you', 'error', undefined],
      ['needs_you', 'limit', undefined],
      ['needs_you', 'missed_notice', 'run 7'],
    ]);
  });
});

describe('the filter', () => {
  it('finds each word anywhere in a row: task, agent, place, state and activity', () => {
    const found = (filter: string) => titles(TEN.rows.filter((row) => matches(row, filter)));
    expect(found('BILLING codex')).toEqual(['Rename the b', 'Add rate lim']);
    expect(found('stuck pytest')).toEqual(['Fix the impo']);
    expect(found('usage limit')).toEqual(['Translate th']);
    expect(found('nothing like it')).toEqual([]);
    expect(found('  ')).toHaveLength(10);
  });

  it('does not change which groups are folded', () => {
    expect(model({ filter: 'part 20' }, manyAgents()).groups.map(({ id, isOpen }) => [id, isOpen])).toEqual([
      ['working', false],
    ]);
  });
});

describe('the order of rows', () => {
  const before = (): { rows: ReadonlyMap<string, OverviewRow>; order: Order } => {
    const rows = mapOf(TEN.rows);
    return { rows, order: ordered(NO_ORDER, rows, TEN.order, false, NOW) };
  };
  const message = oneMoreStuck();
  const rows = received(mapOf(TEN.rows), message);
  const stuckNow = message.rows[0]?.session ?? '';
  const standing = (order: Order) => order.places.get(stuckNow)?.standing;

  it('changes once a state has lasted for three seconds', () => {
    const first = ordered(before().order, rows, message.order, false, NOW);
    expect([standing(first), first.dueAt]).toEqual(['working', NOW + 3_000]);
    const later = ordered(first, rows, message.order, false, NOW + 3_000);
    expect([standing(later), later.dueAt]).toEqual(['stuck', Number.POSITIVE_INFINITY]);
    expect(later.sessions).toEqual(message.order);
  });

  it('forgets a state that did not last', () => {
    const first = ordered(before().order, rows, message.order, false, NOW);
    const back = ordered(first, mapOf(TEN.rows), TEN.order, false, NOW + 1_000);
    expect(back.dueAt).toBe(Number.POSITIVE_INFINITY);
    const again = ordered(back, rows, message.order, false, NOW + 3_000);
    expect(standing(again)).toBe('working');
  });

  it('does not change under the pointer, and says how many rows would move', () => {
    const held = ordered(before().order, rows, message.order, true, NOW + 9_000);
    expect([held.sessions, standing(held)]).toEqual([TEN.order, 'working']);
    expect(held.waiting).toBeGreaterThan(0);
    const free = ordered(held, rows, message.order, false, NOW + 9_000);
    expect([free.sessions, free.waiting, standing(free)]).toEqual([message.order, 0, 'working']);
    expect(standing(ordered(free, rows, message.order, false, NOW + 12_000))).toBe('stuck');
  });

  it('adds no row under the pointer, but removes rows that are gone', () => {
    const some = mapOf(TEN.rows.slice(0, 3));
    const three = ordered(NO_ORDER, some, TEN.order, false, NOW);
    const held = ordered(three, mapOf(TEN.rows.slice(1)), TEN.order, true, NOW);
    expect(held.sessions).toEqual(TEN.order.slice(1, 3));
    expect(held.waiting).toBe(7);
  });
});

describe('a message', () => {
  it('changes the rows that it contains, and drops those that are gone', () => {
    const [one, two] = TEN.rows;
    if (!one || !two) throw new Error('no rows');
    const after = received(mapOf(TEN.rows), {
      ...TEN,
      whole: false,
      rows: [{ ...one, title: 'New' }],
      order: [one.session, two.session],
    });
    expect([...after.values()].map(({ title }) => title)).toEqual(['New', two.title]);
  });

  it('replaces everything before it if it is whole', () => {
    expect([...received(mapOf(TEN.rows), { ...TEN, rows: TEN.rows.slice(0, 1) }).keys()]).toEqual(
      TEN.order.slice(0, 1),
    );
  });
});

describe('the lines in view', () => {
  const items = itemsOf(model({ folded: new Map([['working', false]]) }, manyAgents()).groups);
  const height = (from: number, to: number) =>
    items.slice(from, to).reduce((sum, item) => sum + (item.kind === 'group' ? 36 : 22), 0);

  it.each([0, 700, 2_000])('are few, with empty space for the rest: at %i px', (top) => {
    const shown = windowOf(items, true, top, 800);
    expect(shown.to - shown.from).toBeLessThan(70);
    expect(shown.above).toBe(height(0, shown.from));
    expect(shown.below).toBe(height(shown.to, items.length));
  });
});

it('shows the end of the list if the list is now shorter than the scroll position', () => {
  const { items } = model();
  const shown = windowOf(items, false, 1_000_000, 800);
  expect(shown.to).toBe(items.length);
  expect(shown.above + (shown.to - shown.from) * 32).toBeLessThan(1_000_000);
});

describe('the keys of the list', () => {
  function stage(local: Partial<OverviewLocal> = {}, more: Partial<KeyboardEvent> = {}) {
    const did: (OverviewIntent | Partial<OverviewLocal> | string)[] = [];
    const press = (key: string) =>
      pressed({ key, ctrlKey: false, metaKey: false, altKey: false, ...more }, model(local), {
        send: (intent) => void did.push(intent),
        change: (part) => void did.push(part),
        updateOrder: () => void did.push('order'),
      });
    return { press, did };
  }
  const [asks = '', stuck = ''] = TEN.order;
  const at = (active: string) => stage({ active });

  it('move from line to line', () => {
    const { press, did } = at(asks);
    for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']) expect(press(key)).toBe(true);
    const last = TEN.order.at(-1);
    const start = 'group needs_you';
    // The groups are lines too.
    const actives = ['group stuck', start, start, last, TEN.order[8], start];
    expect(did).toEqual(actives.map((active) => ({ active })));
    const none = stage();
    none.press('ArrowUp');
    none.press('ArrowDown');
    expect(none.did).toEqual([{ active: start }, { active: start }]);
  });

  it('open an agent to the side, and Enter also moves the focus there', () => {
    const { press, did } = at(stuck);
    press(' ');
    press('Enter');
    expect(did).toEqual([
      { type: 'open', session: stuck, focus: false },
      { type: 'open', session: stuck, focus: true },
    ]);
  });

  it('nudge a stuck agent and go to one that asks, but not the other way round', () => {
    const one = at(stuck);
    expect([one.press('n'), one.press('g')]).toEqual([true, false]);
    const other = at(asks);
    expect([other.press('n'), other.press('g')]).toEqual([false, true]);
    expect([...one.did, ...other.did]).toEqual([
      { type: 'nudge', session: stuck },
      { type: 'go', session: asks },
    ]);
  });

  it('fold a group, and move from a row to its group', () => {
    const group = at('group stuck');
    group.press('ArrowLeft');
    group.press('ArrowRight');
    group.press('Enter');
    const fold = (isFolded: boolean) => ({ folded: new Map([['stuck', isFolded]]) });
    expect(group.did).toEqual([fold(true), fold(false), fold(true)]);
    const row = at(stuck);
    row.press('ArrowLeft');
    row.press('ArrowRight');
    expect(row.did).toEqual([{ active: 'group stuck' }]);
  });

  it('update the order, and leave all other keys to the editor', () => {
    const { press, did } = at(stuck);
    expect([press('u'), press('x')]).toEqual([true, false]);
    expect(did).toEqual(['order']);
    expect(stage({ active: stuck }, { ctrlKey: true }).press('n')).toBe(false);
  });
});

describe('the stored state of the overview', () => {
  it('contains what the reader chose', () => {
    const local: OverviewLocal = {
      filter: 'x',
      grouping: 'folder',
      folded: new Map([['working', false]]),
      active: 's',
    };
    expect(fromOverviewState(JSON.parse(JSON.stringify(toOverviewState(local))))).toEqual(local);
  });

  it('is ignored if another version stored it or it makes no sense', () => {
    expect(fromOverviewState(null)).toBeNull();
    expect(fromOverviewState({ version: 99, filter: 'x' })).toBeNull();
    expect(
      fromOverviewState({ version: 1, filter: 7, grouping: 'moon', folded: [['a'], 3, ['b', true]], active: 1 }),
    ).toEqual({
      ...FRESH_OVERVIEW,
      folded: new Map([['b', true]]),
    });
  });
});

it('a strip is described in words', () => {
  const row = TEN.rows.find(({ title }) => title.startsWith('Fix the import'));
  expect(stripWords(row?.steps ?? new Uint8Array(0))).toMatch(/^last 100 steps: \d+ new, 5 repeats$/);
  expect(stripWords(new Uint8Array(0))).toBe('no steps yet');
});

it('there is no group without agents, and a row contains no hidden characters of a transcript', () => {
  expect(model({}, noAgents()).groups).toEqual([]);
  expect(JSON.stringify(hostileAgents().rows)).not.toContain('\u202e');
  expect(restrictedAgents().restricted).toBe(true);
});
