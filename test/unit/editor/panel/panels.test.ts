import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView, Incident } from '../../../../src/core/model';
import { STORED_VERSION } from '../../../../src/editor/panel-model';
import type { Tab } from '../../../../src/editor/panel/intents';
import { Panels } from '../../../../src/editor/panel/panels';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { memento } from '../support/memento';
import { agentView } from '../support/views';
import { editor, resetEditor, restorePanel } from '../support/vscode';

/** Panels that were opened, by title, and whether the last one was brought to the front. */
const tabs = vi.hoisted(() => ({
  opened: [] as string[],
  revealed: 0,
  where: undefined as unknown,
  make: (): unknown => undefined,
}));
vi.mock('vscode', async () => {
  const vscode = await import('../support/vscode');
  const createWebviewPanel = (_type: string, title: string, where: unknown) => {
    tabs.where = where;
    return (tabs.opened.push(title), tabs.make());
  };
  return { ...vscode, ViewColumn: { Active: -1 }, window: { ...vscode.window, createWebviewPanel } };
});
vi.mock('../../../../src/editor/panel/html', () => ({
  PAGE_OPTIONS: {},
  pageHtml: () => 'page',
  tabIcon: () => 'icon',
}));
vi.mock('../../../../src/editor/panel/panel-input', () => ({
  setPanelContext: () => {},
  snapshotNow: (shown: unknown) => shown,
}));
/** Requests of the page, with their agents. */
const asked = vi.hoisted(() => [] as unknown[]);
vi.mock('../../../../src/editor/panel/intents', () => ({
  carryOut: ({ view, tab }: { view: AgentView; tab: Tab }, { type }: { type: string }) => {
    asked.push([type, view.session]);
    if (type === 'runGates') tab.showIncident('B');
    if (type === 'timelineMode') void tab.keepMode('time');
    return type === 'mute' ? Promise.reject(new Error('The disk is full.')) : Promise.resolve();
  },
}));

const PAST = incident({ id: 'P', session: 'old' });
let disposed: boolean;
let posted: { readonly type: string; readonly snapshot?: unknown }[];
beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
  resetEditor();
  disposed = false;
  posted = [];
  asked.length = 0;
  Object.assign(tabs, { opened: [], revealed: 0 });
});
afterEach(() => void vi.useRealTimers());

/** A window with one agent and a history of one incident. */
function stage(kept = new Map<string, unknown>()) {
  const views = new Map<string, AgentView>([['s', agentView('s')]]);
  views.set('t', agentView('t', {}, { title: 'Other\u202E' }));
  let receive: (message: unknown) => void = () => {};
  let turned = () => {};
  let closed = () => {};
  const panel = {
    visible: true,
    title: '',
    iconPath: '',
    reveal: () => void tabs.revealed++,
    webview: {
      html: '',
      options: {},
      postMessage: (message: (typeof posted)[number]) => void posted.push(message),
      onDidReceiveMessage: (listener: typeof receive) => void (receive = listener),
    },
    onDidChangeViewState: (listener: typeof turned) => void (turned = listener),
    onDidDispose: (listener: typeof closed) => void (closed = listener),
    dispose: () => void (disposed = true),
  };
  tabs.make = () => panel;
  const log = recordingLog();
  const wanted: string[] = [];
  const services = {
    agents: {
      agent: (session: string) => views.get(session),
      incidentsOf: () => [],
      requestReports: (session: string) => void wanted.push(session),
    },
    store: {
      incidents: ({ ids }: { ids: readonly string[] }) => Promise.resolve<Incident[]>(ids[0] === 'P' ? [PAST] : []),
    },
    context: { globalState: memento(kept).memory, extensionUri: {} },
    now: () => Date.now(),
    log,
  };
  const panels = new Panels(services as never, {} as never);
  return {
    panels,
    views,
    log,
    panel,
    restore: (state: unknown) => restorePanel(panel, state),
    says: (one: unknown) => receive(one),
    wanted,
    turns: (isVisible: boolean) => {
      panel.visible = isVisible;
      turned();
    },
    closes: () => closed(),
  };
}

const snapshots = () => posted.flatMap(({ type, snapshot }) => (type === 'snapshot' ? [snapshot] : []));

describe('a panel that VS Code restores', () => {
  it('is closed if another version stored it: nothing says what it showed', async () => {
    const { restore, panel } = stage();
    await restore({ version: STORED_VERSION - 1, session: 's' });
    expect(disposed).toBe(true);
    expect(panel.webview.html).toBe('');
  });

  it('shows its agent once its page listens', async () => {
    const { restore, says, panel, wanted } = stage();
    await restore({ version: STORED_VERSION, session: 's' });
    expect(wanted).toEqual(['s']);
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

it('a restored panel shows what the person opened in the meantime', async () => {
  const { panels, restore, says } = stage();
  const restored = restore({ version: STORED_VERSION, session: 'old', incident: 'P' });
  panels.show('s');
  await restored;
  says({ type: 'ready' });
  expect(snapshots()).toEqual([{ session: 's' }]);
});

it('a restored panel shows the other incident of its session that the person opened in the meantime', async () => {
  const { panels, restore, says } = stage();
  const restored = restore({ version: STORED_VERSION, session: 'old', incident: 'P' });
  const other = incident({ id: 'Q', session: 'old' });
  panels.showIncident(other);
  await restored;
  says({ type: 'ready' });
  expect(snapshots()).toEqual([{ session: 'old', incident: 'Q', past: other }]);
});

it('a panel that is restored late takes the place of the one that was opened before, and stays alive', async () => {
  const { panels, panel, says, closes } = stage();
  panels.show('s');
  says({ type: 'ready' });
  // VS Code restores a tab of before the reload when the person looks at it.
  const sent: (typeof posted)[number][] = [];
  let asks: (message: unknown) => void = () => {};
  const late = {
    ...panel,
    onDidDispose: () => {},
    webview: {
      ...panel.webview,
      postMessage: (message: (typeof posted)[number]) => void sent.push(message),
      onDidReceiveMessage: (listener: typeof asks) => void (asks = listener),
    },
  };
  await restorePanel(late, { version: STORED_VERSION, session: 't' });
  expect(disposed).toBe(true);
  closes();
  asks({ type: 'ready' });
  expect(sent.at(-1)).toMatchObject({ snapshot: { session: 't' } });
  await vi.runAllTimersAsync();
  sent.length = 0;
  panels.update(['t']);
  await vi.runAllTimersAsync();
  expect(sent).toMatchObject([{ snapshot: { session: 't' } }]);
});

it('an open incident is left to its session, which will be read again', async () => {
  const { restore, says } = stage();
  await restore({ version: STORED_VERSION, session: 's', incident: 'A' });
  says({ type: 'ready' });
  expect(snapshots()).toEqual([{ session: 's' }]);
});

it('opens to the side on request, and takes the focus unless told otherwise', () => {
  const { panels } = stage();
  panels.show('s', { column: -2 as never, preserveFocus: true });
  expect(tabs.where).toEqual({ viewColumn: -2, preserveFocus: true });
  const other = stage();
  other.panels.show('s');
  expect(tabs.where).toEqual({ viewColumn: -1, preserveFocus: false });
});

it('keeps the timeline mode for all windows, and ignores an unknown one', async () => {
  const kept = new Map<string, unknown>();
  const first = stage(kept);
  first.panels.show('s');
  first.says({ type: 'timelineMode', mode: 'time' });
  await vi.runAllTimersAsync();
  const modeIn = (memory: Map<string, unknown>) => {
    posted = [];
    const window = stage(memory);
    window.panels.show('s');
    window.says({ type: 'ready' });
    return posted[0];
  };
  expect(modeIn(kept)).toEqual({ type: 'timelineMode', mode: 'time' });
  expect(modeIn(new Map([...kept.keys()].map((key) => [key, 'sideways'])))).toEqual({
    type: 'timelineMode',
    mode: 'steps',
  });
});

it('a message that is not understood is logged, and does nothing', async () => {
  const { restore, says, log } = stage();
  await restore({ version: STORED_VERSION, session: 's' });
  says({ type: 'format the disk' });
  expect(log.lines).toEqual(['warn: the panel sent a message that is not understood']);
});

describe('a panel that is opened', () => {
  const open = () => {
    const made = stage();
    made.panels.show('s');
    made.says({ type: 'ready' });
    posted = [];
    return made;
  };

  it('shows its agent in the chosen mode, and one panel serves all agents', () => {
    const { panels, says, panel, wanted } = stage();
    panels.show('s');
    says({ type: 'ready' });
    expect(posted).toEqual([
      { type: 'timelineMode', mode: 'steps' },
      { type: 'snapshot', snapshot: { session: 's' } },
    ]);
    panels.show('t');
    expect(panel.title).toBe('Other\ufffd');
    panels.showIncident(PAST);
    expect([tabs.opened, tabs.revealed, snapshots().length]).toEqual([['Task of s'], 2, 3]);
    expect([panel.iconPath, wanted]).toEqual(['icon', ['s', 't', 'old']]);
    expect([panels.isVisible('old'), panels.isVisible('t'), panels.current()]).toEqual([true, false, 'old']);
  });

  it('gets its first snapshot before its page asks, and none twice', async () => {
    const { panels, says } = stage();
    panels.show('s');
    await vi.runAllTimersAsync();
    expect(posted.map(({ type }) => type)).toEqual(['timelineMode', 'snapshot']);
    says({ type: 'ready' });
    expect(snapshots()).toHaveLength(1);
  });

  it('gets what changed while its page was being loaded', async () => {
    const { panels, says } = stage();
    panels.show('s');
    await vi.runAllTimersAsync();
    panels.show('t');
    says({ type: 'ready' });
    expect(snapshots().at(-1)).toEqual({ session: 't' });
  });

  it('is drawn at most four times a second, and for no other agent', async () => {
    const { panels } = open();
    for (let i = 0; i < 5; i++) panels.update(['s']);
    panels.update(['t']);
    await vi.advanceTimersByTimeAsync(249);
    expect(snapshots()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(snapshots()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    panels.update(['t']);
    expect(vi.getTimerCount()).toBe(0);
    panels.update();
    await vi.runAllTimersAsync();
    expect(snapshots()).toHaveLength(2);
  });

  it('is drawn as soon as ever after the clock was set back', async () => {
    const { panels } = open();
    vi.setSystemTime(T0 - 60 * MINUTE);
    panels.update(['s']);
    await vi.advanceTimersByTimeAsync(250);
    expect(snapshots()).toHaveLength(1);
  });

  it('is drawn when it comes into view, and not while it is hidden', async () => {
    const { panels, turns, wanted } = open();
    const heard = vi.fn();
    panels.onDidShow(heard);
    turns(false);
    wanted.length = 0;
    panels.update(['s']);
    await vi.runAllTimersAsync();
    expect([snapshots(), wanted, heard.mock.calls.length, panels.current()]).toEqual([[], [], 0, undefined]);
    turns(true);
    // All steps of an agent that was found while the panel was hidden are read now.
    expect([snapshots().length, heard.mock.calls.length, wanted]).toEqual([1, 1, ['s']]);
  });

  it('opens again after it was closed, and waits for its page again', async () => {
    const { panels, closes } = open();
    closes();
    panels.update(['s']);
    await vi.runAllTimersAsync();
    expect([panels.current(), panels.isVisible('s'), snapshots()]).toEqual([undefined, false, []]);
    panels.show('t');
    expect([tabs.opened.length, tabs.revealed, snapshots()]).toEqual([2, 0, []]);
  });

  it('does what its page requests for its agent, and says what went wrong', async () => {
    const { says, log } = open();
    says({ type: 'restart' });
    says({ type: 'mute' });
    await vi.runAllTimersAsync();
    expect(asked).toEqual([
      ['restart', 's'],
      ['mute', 's'],
    ]);
    expect(editor.shown).toMatchObject([{ kind: 'error', text: 'Unstuck could not do that: The disk is full.' }]);
    expect(log.lines).toEqual(['error: mute: Error: The disk is full.']);
  });

  // the person selects another agent │ presses a key │ the page draws the other agent
  it('does nothing to an agent whose picture was not drawn yet when a key was pressed', async () => {
    const { panels, says } = stage();
    panels.show('s');
    says({ type: 'ready' });
    panels.show('t');
    says({ type: 'sendNudge', text: 'Read the file first.', session: 's' });
    says({ type: 'nextNeedingMe', session: 's' });
    says({ type: 'runGates', session: 't' });
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([
      ['nextNeedingMe', 't'],
      ['runGates', 't'],
    ]);
  });

  // an incident is shown │ a graver one begins │ the person says *Not Stuck* │ the page draws the graver one
  it('does nothing to an incident whose picture was not drawn yet when a key was pressed', async () => {
    const { panels, says, views } = stage();
    panels.show('s');
    says({ type: 'ready' });
    views.set('s', agentView('s', {}, { incidents: [incident({ id: 'GRAVER' })] }));
    says({ type: 'notStuck', session: 's', shown: 'FIRST' });
    says({ type: 'share', session: 's', shown: 'FIRST' });
    says({ type: 'notStuck', session: 's', shown: 'GRAVER' });
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([
      ['share', 's'],
      ['notStuck', 's'],
    ]);
  });

  it('shows another incident of its agent if its page requests it', async () => {
    const { says } = open();
    says({ type: 'runGates' });
    await vi.runAllTimersAsync();
    expect(snapshots()).toEqual([{ session: 's', incident: 'B' }]);
  });

  it('is closed with the window, and nothing is drawn after that', async () => {
    const { panels, restore } = open();
    await vi.runAllTimersAsync();
    panels.update(['s']);
    panels.dispose();
    await restore({ version: STORED_VERSION, session: 's' });
    expect([disposed, vi.getTimerCount(), snapshots()]).toEqual([true, 0, []]);
  });
});
