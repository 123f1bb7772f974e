import { afterAll, describe, expect, it, vi } from 'vitest';
import type { RulesIntent } from '../../../../src/editor/panel-model';
import { FRESH_OVERVIEW, modelOf, type OverviewLocal } from '../../../../src/editor/webview/overview/model';
import { NO_ORDER, type Order, ordered } from '../../../../src/editor/webview/overview/order';
import * as overviews from './support/overview-fixtures';
import * as panels from './support/panel-fixtures';
import { stubBrowser } from './support/browser';
import { read } from './support/read';
import { ruleRow, rulesMessage, statisticsMessage } from './support/other-pages';

stubBrowser();
const { page: overviewPage } = await import('../../../../src/editor/webview/overview/view');
const { page: statisticsPage } = await import('../../../../src/editor/webview/statistics/view');
const { page: rulesPage } = await import('../../../../src/editor/webview/rules/view');
afterAll(() => void vi.unstubAllGlobals());

describe('the overview', () => {
  function shown(message = overviews.tenAgents(), local: Partial<OverviewLocal> = {}, order: Partial<Order> = {}) {
    const rows = new Map(message.rows.map((row) => [row.session, row]));
    const all = { ...ordered(NO_ORDER, rows, message.order, false, panels.NOW), ...order };
    const { restricted, paused } = message;
    const model = modelOf({
      rows,
      order: all,
      local: { ...FRESH_OVERVIEW, ...local },
      now: panels.NOW,
      restricted,
      paused,
    });
    const did: unknown[] = [];
    const actions = {
      send: (intent: unknown) => void did.push(intent),
      change: (part: unknown) => void did.push(part),
      updateOrder: () => void did.push('update'),
    };
    return { ...read(overviewPage(model, actions, { from: 0, to: model.items.length })), model, did };
  }

  it('opens the agent of a row, and its button acts on that agent', () => {
    const { model, fire, press, did } = shown();
    const sessions = model.items.map((item) => (item.kind === 'row' ? item.row.session : ''));
    fire('#line-3', 'click');
    press('Go There');
    press('Nudge');
    const acts = model.items.flatMap((item) =>
      item.kind === 'row' && item.row.act === 'nudge' ? item.row.session : [],
    );
    expect(did).toEqual([
      { active: sessions[3] },
      { type: 'open', session: sessions[3], focus: false },
      { type: 'go', session: sessions[1] },
      { type: 'nudge', session: acts[0] },
    ]);
    const stopped = shown(overviews.stoppedAgents());
    stopped.press('Continue');
    expect(stopped.did).toMatchObject([{ type: 'nudge' }]);
  });

  it('folds a group, changes the grouping, and starts a replay if there is no agent', () => {
    const { fire, press, did } = shown();
    fire('#line-0', 'click');
    press('By Folder');
    expect(did).toEqual([
      { folded: new Map([['needs_you', true]]), active: 'group needs_you' },
      { grouping: 'folder' },
    ]);
    const empty = shown(overviews.noAgents());
    empty.press('Replay a Stuck Agent');
    expect(empty.did).toEqual([{ type: 'replay' }]);
  });

  it('says that nothing was found, and clears the filter', () => {
    const { lines, press, did } = shown(overviews.tenAgents(), { filter: 'nothing like it' });
    expect(lines).toContain('Nothing found for “nothing like it”. [Clear Filter]');
    press('Clear Filter');
    expect(did).toEqual([{ filter: '' }]);
  });

  it('says how many agents changed since the order was made, and updates the order', () => {
    const { lines, press, did } = shown(undefined, {}, { waiting: 2 });
    expect(lines.join(' ')).toContain('2 agents changed');
    press('Update Order');
    expect(did).toEqual(['update']);
  });

  it('names the active line for a screen reader only while it is in view', () => {
    const { attributes } = shown(overviews.tenAgents(), { active: 'group stuck' });
    expect(attributes('.list')['aria-activedescendant']).toBe('line-2');
    expect(shown().attributes('.list')).not.toHaveProperty('aria-activedescendant');
  });
});

describe('the page of rules', () => {
  it.each<[string, object, RulesIntent['type'] | null, string?]>([
    ['Less Sensitive', {}, 'change', 'less'],
    ['More Sensitive', {}, 'change', 'more'],
    ['Turn Off', {}, 'change', 'off'],
    ['Turn On', { on: false }, 'change', 'on'],
    ['Reset', { isOwn: true }, 'change', 'reset'],
    ['Reset', {}, null],
    ['Less Sensitive', { canBeLess: false }, null],
    ['More Sensitive', { on: false }, null],
    ['Open in Settings', {}, 'openSettings'],
    ['All History', {}, 'allHistory'],
  ])('%s of a rule %o leads to %s', (name, row, type, change) => {
    const sent: RulesIntent[] = [];
    const { press } = read(rulesPage(rulesMessage({ rows: [ruleRow(row)] }), (intent) => sent.push(intent)));
    press(name);
    expect(sent).toMatchObject(
      type === null ? [] : [{ type, ...(change && { detector: 'repeating_action', change }) }],
    );
  });
});

it('the statistics cover the range that was pressed', () => {
  const chosen: number[] = [];
  const { press, attributes } = read(statisticsPage(statisticsMessage(), 7, (days) => chosen.push(days)));
  for (const name of ['All', '7 days', '30 days']) press(name);
  expect(chosen).toEqual([0, 7, 30]);
  expect(attributes('button')['aria-pressed']).toBe('true');
});
