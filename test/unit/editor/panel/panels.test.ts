import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView, Incident } from '../../../../src/core/model';
import { STORED_VERSION } from '../../../../src/editor/panel-model';
import { Panels } from '../../../../src/editor/panel/panels';
import { T0, incident } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { restorePanel } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
vi.mock('../../../../src/editor/panel/html', () => ({
  PAGE_OPTIONS: {},
  pageHtml: () => 'page',
  tabIcon: () => 'icon',
}));
vi.mock('../../../../src/editor/panel/panel-input', () => ({
  setPanelContext: () => {},
  snapshotNow: (shown: unknown) => shown,
}));

const PAST = incident({ id: 'P', session: 'old' });
let disposed: boolean;
let posted: { readonly type: string; readonly snapshot?: unknown }[];
beforeEach(() => {
  disposed = false;
  posted = [];
});

/** A window with one agent and a history of one incident. */
function stage() {
  const views = new Map<string, AgentView>([['s', agentView('s')]]);
  let receive: (message: unknown) => void = () => {};
  const panel = {
    visible: true,
    title: '',
    webview: {
      html: '',
      options: {},
      postMessage: (message: (typeof posted)[number]) => void posted.push(message),
      onDidReceiveMessage: (listener: typeof receive) => void (receive = listener),
    },
    onDidChangeViewState: () => {},
    onDidDispose: () => {},
    dispose: () => void (disposed = true),
  };
  const log = recordingLog();
  const services = {
    agents: { agent: (session: string) => views.get(session), incidentsOf: () => [], ask: () => {} },
    store: {
      incidents: ({ ids }: { ids: readonly string[] }) => Promise.resolve<Incident[]>(ids[0] === 'P' ? [PAST] : []),
    },
    context: { globalState: { get: () => undefined }, extensionUri: {} },
    now: () => T0,
    log,
  };
  const panels = new Panels(services as never, {} as never);
  return {
    panels,
    log,
    panel,
    restore: (state: unknown) => restorePanel(panel, state),
    says: (one: unknown) => receive(one),
  };
}

const snapshots = () => posted.flatMap(({ type, snapshot }) => (type === 'snapshot' ? [snapshot] : []));

describe('a panel that VS Code restores', () => {
  it('is closed where another version stored it: nothing says what it showed', async () => {
    const { restore, panel } = stage();
    await restore({ version: STORED_VERSION - 1, session: 's' });
    expect(disposed).toBe(true);
    expect(panel.webview.html).toBe('');
  });

  it('shows its agent once its page listens', async () => {
    const { restore, says, panel } = stage();
    await restore({ version: STORED_VERSION, session: 's' });
    expect([disposed, panel.webview.html]).toEqual([false, 'page']);
    says({ type: 'ready' });
    expect(snapshots()).toEqual([{ session: 's' }]);
    expect(panel.title).toBe('Task of s');
  });

  it('shows its incident of the history, whose session is not followed', async () => {
    const { restore, says } = stage();
    await restore({ version: STORED_VERSION, session: 'old', incident: 'P' });
    says({ type: 'ready' });
    expect(snapshots()).toEqual([{ session: 'old', incident: 'P', past: PAST }]);
  });
});

it('a message that is not understood is logged, and does nothing', async () => {
  const { restore, says, log } = stage();
  await restore({ version: STORED_VERSION, session: 's' });
  says({ type: 'format the disk' });
  expect(log.lines).toEqual(['warn: the panel sent a message that is not understood']);
});
