import { html } from 'lit/html.js';
import { afterAll, expect, it, vi } from 'vitest';
import type { OverviewMessage, PanelSnapshot, StatisticsMessage } from '../../../../src/editor/panel-model';
import { FRESH_OVERVIEW, modelOf } from '../../../../src/editor/webview/overview/model';
import { NO_ORDER, ordered } from '../../../../src/editor/webview/overview/order';
import * as overview from './support/overview-fixtures';
import * as panels from './support/panel-fixtures';
import { panelOf } from './support/panel';
import { read } from './support/read';
import { rulesMessage, statisticsMessage } from './support/other-pages';

vi.hoisted(() => void vi.stubGlobal('navigator', { platform: 'Linux' }));
const { page: panelPage, loading } = await import('../../../../src/editor/webview/view/page');
const { page: overviewPage } = await import('../../../../src/editor/webview/overview/view');
const { page: statisticsPage } = await import('../../../../src/editor/webview/statistics/view');
const { page: rulesPage } = await import('../../../../src/editor/webview/rules/view');
afterAll(() => void vi.unstubAllGlobals());

/**
 * Everything that each page says, in words. `pages.txt` contains it: for each page what no page above it says, and all of its buttons. Read the
 * difference before you commit it; `npm run golden` writes it again.
 */
const PANELS: Readonly<Record<string, PanelSnapshot>> = {
  stuck: panels.stuck(),
  recovering: panels.recovering(),
  'with malformed calls': panels.counted(),
  healthy: panels.healthy(),
  freed: panels.freed(),
  'with hints': panels.hinted(),
  'stopped by an error': panels.stoppedByError(),
  'after a limit that opened': panels.limitOpened(),
  'with a notice that was missed': panels.missedNotice(),
  'waiting for permission': panels.waitingForPermission(),
  'probably waiting': panels.probablyWaiting(),
  'waiting for its person': panels.yourTurn(),
  stalled: panels.stalled(),
  'not monitored': panels.notMonitored(),
  finished: panels.finished(),
  died: panels.finished('died'),
  'without its transcript': panels.gone(),
  'in a folder without trust': panels.restricted(),
  escalated: panels.escalated(),
  'with a message that waits': panels.queued(),
  'with a message that waits, not connected': panels.queued(false),
  'with a message in a turn': panels.inTurn(),
  'with automatic recovery': panels.automatic(),
  'with automatic recovery on hold': panels.automatic(true),
  'that holds a call': panels.held(),
  idle: panels.idle(),
  'with gates that run': panels.checking(),
  'with many failures': panels.manyFailures(),
  'with all kinds of messages': panels.messages(),
  'on another machine': panels.remote(),
  'on another machine that is silent': panels.remoteSilent(),
};

const OVERVIEWS: Readonly<Record<string, OverviewMessage>> = {
  'of ten agents': overview.tenAgents(),
  'with agents that stopped': overview.stoppedAgents(),
  'of several machines': overview.machines(),
  'without agents': overview.noAgents(),
  'in a folder without trust': overview.restrictedAgents(),
};

function overviewOf({ rows, order, restricted }: OverviewMessage) {
  const byKey = new Map(rows.map((row) => [row.session, row]));
  const now = panels.NOW;
  const model = modelOf({
    rows: byKey,
    order: ordered(NO_ORDER, byKey, order, false, now),
    local: FRESH_OVERVIEW,
    now,
    restricted,
    paused: false,
  });
  const actions = { send: () => {}, change: () => {}, updateOrder: () => {} };
  return overviewPage(model, actions, { from: 0, to: model.items.length });
}

function panelWords(snapshot: PanelSnapshot) {
  const { model, actions } = panelOf(snapshot);
  return panelPage(model, actions, html`<p>The timeline.</p>`);
}

const statistics = (message: StatisticsMessage | null) => statisticsPage(message, 30, () => {});

const pages = (): readonly (readonly [string, unknown])[] => [
  ['The panel before its first data', loading()],
  ...Object.entries(PANELS).map(([name, snapshot]) => [`The panel of an agent ${name}`, panelWords(snapshot)] as const),
  ...Object.entries(OVERVIEWS).map(([name, message]) => [`The overview ${name}`, overviewOf(message)] as const),
  ['Statistics before their first figures', statistics(null)],
  ['Statistics', statistics(statisticsMessage())],
  ['Statistics of few sessions', statistics(statisticsMessage(3))],
  ['Statistics of no session', statistics(statisticsMessage(0))],
  [
    'Statistics that could not be read',
    statistics({ ...statisticsMessage(), figures: null, problem: 'The disk is full.' }),
  ],
  ['Rules before their first data', rulesPage(null, () => {})],
  ['Rules', rulesPage(rulesMessage(), () => {})],
];

it('the pages say what they said before', async () => {
  const told = new Set<string>();
  const text = pages().map(([name, template]) => {
    const { lines, buttons } = read(template);
    const news = lines.filter((line) => !told.has(line));
    for (const line of lines) told.add(line);
    return [`== ${name}`, ...news, `-- ${buttons.join(' | ')}`, ''].join('\n');
  });
  await expect(text.join('\n')).toMatchFileSnapshot('./pages.txt');
});
