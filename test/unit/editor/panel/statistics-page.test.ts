import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StatisticsPage } from '../../../../src/editor/panel/statistics-page';
import { Emitter } from '../../../../src/base/util/emitter';
import { DAY, T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { makeTab, page, resetPage } from '../support/page';
import { resetEditor, restorePanel } from '../support/vscode';

vi.mock('vscode', async () => (await import('../support/page')).withPages(await import('../support/vscode')));
vi.mock('../../../../src/editor/panel/html', async () => (await import('../support/page')).htmlOfPages);

beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
  resetEditor();
  resetPage();
});
afterEach(() => void vi.useRealTimers());

/** The page over a history that answers when told to. `asked` holds the ranges that were requested, in days. */
function stage({ fails }: { readonly fails?: unknown } = {}) {
  const changed = new Emitter<void>();
  const log = recordingLog();
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const statistics = new StatisticsPage({
    store: {
      onDidChange: changed.event,
      statistics: ({ since, until }: { since: number; until: number }) => {
        const days = since === 0 ? 0 : (until - since) / DAY;
        asked.push(days);
        if (fails !== undefined) return Promise.reject(fails);
        const byAgent = [{ key: 'codex' }, { key: 'someone-else' }];
        const figures = { incidents: days, byAgent, byModel: [{ key: 'gpt\u202e5' }] };
        return new Promise((resolve) => answers.push(() => resolve(figures)));
      },
    },
    context: { extensionUri: {} },
    log,
    now: () => Date.now(),
    agentNames: new Map([['codex', 'Codex']]),
  } as never);
  const answer = async () => {
    for (const one of answers.splice(0)) one();
    await vi.advanceTimersByTimeAsync(0);
  };
  const open = async () => {
    statistics.show();
    page.says({ type: 'ready', days: 30 });
    await answer();
  };
  return { statistics, changed, log, asked, answer, open };
}
/** Ranges of the figures that were sent to the page. */
const sent = () => (page.sent as { days: number }[]).map(({ days }) => days);

describe('the page of statistics', () => {
  it('shows the last 30 days with the names of agents, once its script listens', async () => {
    const { statistics, asked, open } = stage();
    statistics.show();
    expect(asked).toEqual([]);
    await open();
    expect(asked).toEqual([30]);
    expect(page.sent).toEqual([
      {
        days: 30,
        figures: {
          incidents: 30,
          byAgent: [{ key: 'Codex' }, { key: 'someone-else' }],
          byModel: [{ key: 'gpt\ufffd5' }],
        },
        problem: '',
      },
    ]);
    expect([page.opened, page.revealed]).toEqual([['Statistics'], 1]);
  });

  it('counts what was kept in this very millisecond, and everything if the person asks for all', async () => {
    const { asked, open } = stage();
    await open();
    page.says({ type: 'range', days: 0 });
    page.says({ type: 'range', days: 7 });
    expect(asked).toEqual([30, 0, 7]);
  });

  it('drops the figures of a range that the person has left', async () => {
    const { answer, open } = stage();
    await open();
    page.says({ type: 'range', days: 7 });
    page.says({ type: 'range', days: 0 });
    await answer();
    expect(sent()).toEqual([30, 0]);
  });

  it('asks again two seconds after the history changed, once for many changes', async () => {
    const { changed, asked, answer, open } = stage();
    await open();
    for (let i = 0; i < 5; i++) changed.fire();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(asked).toEqual([30]);
    await vi.advanceTimersByTimeAsync(1);
    await answer();
    changed.fire();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toEqual([30, 30, 30]);
  });

  it('requests nothing while it is hidden, and updates at once when it is back', async () => {
    const { changed, asked, open } = stage();
    await open();
    page.turns(false);
    changed.fire();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toEqual([30]);
    page.turns(true);
    expect(asked).toEqual([30, 30]);
  });

  it.each([
    [new Error('The history is closed.'), 'The history is closed.'],
    ['closed', 'closed'],
  ])('says why it has no figures', async (fails, problem) => {
    const { open } = stage({ fails });
    await open();
    expect(page.sent).toEqual([{ days: 30, figures: null, problem }]);
  });

  it('ignores a request that it does not know', async () => {
    const { asked, log, open } = stage();
    await open();
    page.says({ type: 'range', days: 365 });
    expect([asked, log.lines.length]).toEqual([[30], 1]);
  });

  it('is restored after the window was reloaded, and opens again after it was closed', async () => {
    const { statistics, asked } = stage();
    await restorePanel(makeTab(), { days: 7 });
    statistics.show();
    expect([page.opened, page.revealed]).toEqual([[], 1]);
    page.says({ type: 'ready', days: 7 });
    expect(asked).toEqual([7]);
    page.closes();
    statistics.show();
    expect(page.opened).toEqual(['Statistics']);
    // The new page has not reported yet that it listens.
    page.turns(true);
    expect(asked).toEqual([7]);
  });

  it('is one tab, even if one of before the reload is restored after another was opened', async () => {
    const { statistics, asked, open } = stage();
    await open();
    const closesFirst = page.closes;
    await restorePanel(makeTab(), { days: 7 });
    expect(page.disposed).toBe(1);
    closesFirst();
    page.says({ type: 'ready', days: 7 });
    statistics.show();
    expect([page.opened, page.revealed, asked]).toEqual([['Statistics'], 1, [30, 7]]);
  });

  it('closes with its window, and requests nothing more', async () => {
    const { statistics, changed, asked, open } = stage();
    await open();
    changed.fire();
    statistics.dispose();
    changed.fire();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked, page.disposed, vi.getTimerCount()]).toEqual([[30], 1, 0]);
    await restorePanel(makeTab(), {});
    expect(page.revealed).toBe(0);
  });
});
