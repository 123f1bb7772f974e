import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import { OverviewPage } from '../../../../src/editor/panel/overview-page';
import { MINUTE, T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { page, resetPage } from '../support/page';
import { agentView } from '../support/views';
import { editor, resetEditor, restorePanel, workspace } from '../support/vscode';

vi.mock('vscode', async () => (await import('../support/page')).withPages(await import('../support/vscode')));
vi.mock('../../../../src/editor/panel/html', async () => (await import('../support/page')).htmlOfPages);

beforeEach(() => {
  vi.useFakeTimers({ now: T0, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  resetEditor();
  resetPage();
});
afterEach(() => void vi.useRealTimers());

/** The overview of a window, and what its reader did. */
function stage(...views: readonly AgentView[]) {
  const all = views.length > 0 ? [...views] : [agentView('a'), agentView('b')];
  const did: unknown[] = [];
  const log = recordingLog();
  const act = (name: string) => (of: AgentView) => {
    did.push([name, of.session]);
    return of.session === 'b' ? Promise.reject(new Error('The disk is full.')) : Promise.resolve();
  };
  const services = {
    agents: { timeline: () => undefined, agent: (session: string) => all.find((one) => one.session === session) },
    context: { extensionUri: {} },
    log,
    now: () => Date.now(),
  };
  const parts = {
    configuration: { isPaused: true },
    list: { views: () => all, placeName: () => 'api', placeOf: () => ({ folder: '/work' }) },
    nudge: { send: act('nudge') },
    panels: { show: (session: string, where: object) => void did.push(['panel', session, where]) },
    goTo: act('go'),
  };
  return { overview: new OverviewPage(services as never, parts as never), all, did, log };
}

const turn = () => new Promise((done) => setImmediate(done));
/** Rows of each message; a message with the whole list is marked. */
const sent = () =>
  (page.sent as { whole: boolean; rows: { session: string }[] }[]).map(
    ({ whole, rows }) => `${whole ? 'all: ' : ''}${rows.map(({ session }) => session).join(' ')}`,
  );

async function open(made = stage()) {
  made.overview.show();
  page.says({ type: 'ready' });
  await turn();
  page.sent.length = 0;
  return made;
}

describe('the overview', () => {
  it('gets all rows before its page asks, and none twice', async () => {
    const { overview } = stage();
    overview.show();
    await turn();
    expect(sent()).toEqual(['all: a b']);
    page.says({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent()).toEqual(['all: a b']);
    overview.show();
    expect([page.opened, page.revealed]).toEqual([['Agents'], 1]);
  });

  it('gets what changed while its page was being loaded', async () => {
    const { overview } = stage();
    overview.show();
    await turn();
    overview.update(['b']);
    page.says({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    expect(sent()).toEqual(['all: a b', 'b']);
  });

  it('draws the rows that changed, at most four times a second', async () => {
    const { overview } = await open();
    for (let i = 0; i < 5; i++) overview.update(['a']);
    overview.update(['b']);
    await vi.advanceTimersByTimeAsync(249);
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual(['a b']);
    overview.update(['b']);
    await vi.advanceTimersByTimeAsync(250);
    overview.update();
    await vi.advanceTimersByTimeAsync(250);
    expect(sent()).toEqual(['a b', 'b', 'all: a b']);
  });

  it('draws them as soon as ever after the clock was set back', async () => {
    const { overview } = await open();
    vi.setSystemTime(Date.now() - 60 * MINUTE);
    overview.update(['a']);
    await vi.advanceTimersByTimeAsync(250);
    expect(sent()).toEqual(['a']);
  });

  it('says which rows there are, in what order, and whether anything can be sent', async () => {
    workspace.isTrusted = false;
    await open();
    const { overview } = await open();
    overview.update(['a']);
    await vi.advanceTimersByTimeAsync(250);
    expect(page.sent[0]).toMatchObject({ order: ['a', 'b'], restricted: true, paused: true });
  });

  it('makes the rows of many agents over several turns of the event loop, and sends what changes meanwhile afterwards', async () => {
    const many = Array.from({ length: 120 }, (_, n) => agentView(`s${n}`));
    const { overview } = stage(...many);
    overview.show();
    page.says({ type: 'ready' });
    overview.update(['s7']);
    for (let i = 0; i < 4; i++) await turn();
    await vi.advanceTimersByTimeAsync(500);
    await turn();
    expect(sent().map((rows) => rows.split(' ').length)).toEqual([121, 1]);
  });

  it('is drawn when it comes into view, and not while it is hidden', async () => {
    const { overview } = await open();
    const heard = vi.fn();
    overview.onDidShow(heard);
    page.turns(false);
    overview.update(['a']);
    expect([vi.getTimerCount(), overview.isVisible, heard.mock.calls.length]).toEqual([0, false, 0]);
    page.turns(true);
    await vi.advanceTimersByTimeAsync(250);
    expect([sent(), heard.mock.calls.length]).toEqual([['all: a b'], 1]);
  });

  it('draws nothing once it or its window is closed', async () => {
    const { overview } = await open();
    overview.update();
    page.closes();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent()).toEqual([]);
    overview.show();
    await turn();
    page.says({ type: 'ready' });
    overview.update();
    overview.dispose();
    await restorePanel({}, {});
    expect([page.opened.length, page.disposed, vi.getTimerCount()]).toEqual([2, 1, 0]);
  });
});

describe('a request of its page', () => {
  it('is about the agent of the row, and does nothing if that is gone', async () => {
    const { did } = await open();
    page.says({ type: 'open', session: 'a', focus: false });
    page.says({ type: 'nudge', session: 'a' });
    page.says({ type: 'go', session: 'a' });
    page.says({ type: 'nudge', session: 'gone' });
    page.says({ type: 'replay' });
    expect(did).toEqual([
      ['panel', 'a', { column: -2, preserveFocus: true }],
      ['nudge', 'a'],
      ['go', 'a'],
    ]);
    expect(editor.commands).toEqual([['unstuck.replay']]);
  });

  it('shows an error if it fails, and is logged if it is not understood', async () => {
    const { log } = await open();
    page.says({ type: 'nudge', session: 'b' });
    page.says({ type: 'format the disk' });
    await turn();
    expect(editor.shown).toMatchObject([{ kind: 'error', text: 'Unstuck could not do that: The disk is full.' }]);
    expect(log.lines).toEqual([
      'warn: the overview sent a message that is not understood',
      'error: overview, nudge: Error: The disk is full.',
    ]);
  });
});
