import { beforeEach, expect, it, vi } from 'vitest';
import { WatchFailureNotice } from '../../../../src/editor/notifications/watch-failure';
import { Emitter } from '../../../../src/base/util/emitter';
import { DAY, T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { memento } from '../support/memento';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

type Failure = { readonly code: string; readonly polled: number } | null;

/** A window whose watcher can fail; `kept` outlives it. */
function stage(kept?: Map<string, unknown>) {
  const fails = new Emitter<Failure>();
  const log = recordingLog();
  const at = { now: T0, logs: 0, changes: 0 };
  const services = {
    engine: { onDidFailWatching: fails.event },
    context: { globalState: memento(kept).memory },
    now: () => at.now,
    log,
  };
  const notice = new WatchFailureNotice(services as never, () => void at.logs++);
  notice.onDidChange(() => void at.changes++);
  const fail = async (failure: Failure) => {
    fails.fire(failure);
    await new Promise(setImmediate);
  };
  return { notice, fail, log, at };
}
const ENOSPC = { code: 'ENOSPC', polled: 12 };

it('a watch failure is reported once a day across all windows, and shows the log on request', async () => {
  const kept = new Map<string, unknown>();
  const first = stage(kept);
  editor.answers.push('Show Log');
  await first.fail(ENOSPC);
  expect(editor.shown).toMatchObject([{ kind: 'warning', buttons: ['Show Log'] }]);
  expect(editor.shown[0]?.text).toContain('the system’s limit on watched files is reached');
  expect(first.at.logs).toBe(1);
  await first.fail(ENOSPC);
  await stage(kept).fail(ENOSPC);
  expect(editor.shown).toHaveLength(1);

  const tomorrow = stage(kept);
  tomorrow.at.now += DAY;
  await tomorrow.fail(ENOSPC);
  expect(editor.shown).toHaveLength(2);
  // The person closed it.
  expect(tomorrow.at.logs).toBe(0);
});

it('the failure is over once files can be watched again', async () => {
  const { notice, fail, log, at } = stage();
  expect(notice.isFailed).toBe(false);
  await fail(ENOSPC);
  expect(notice.isFailed).toBe(true);
  expect(log.lines).toEqual([expect.stringContaining('the watcher failed (ENOSPC); 12 folders are checked every 2 s')]);
  await fail(null);
  expect([notice.isFailed, at.changes, editor.shown.length, log.lines.length]).toEqual([false, 2, 1, 1]);
});

it('nothing is reported once the window is gone', async () => {
  const { notice, fail, at } = stage();
  notice.dispose();
  await fail(ENOSPC);
  expect([editor.shown, at.changes]).toEqual([[], 0]);
});
