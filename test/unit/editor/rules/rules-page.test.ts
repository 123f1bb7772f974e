import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import type { Past } from '../../../../src/editor/panel-model';
import { RulesPage } from '../../../../src/editor/rules/rules-page';
import { Emitter } from '../../../../src/base/util/emitter';
import { DAY, T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { makeTab, page, resetPage } from '../support/page';
import { agentView } from '../support/views';
import { editor, folderSettings, resetEditor, restorePanel, settings, workspace } from '../support/vscode';

vi.mock('vscode', async () => (await import('../support/page')).withPages(await import('../support/vscode')));
vi.mock('../../../../src/editor/panel/html', async () => (await import('../support/page')).htmlOfPages);

beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
  resetEditor();
  resetPage();
});
afterEach(() => void vi.useRealTimers());

/** The page of rules of a window with two agents, and the readings of the past that it started. */
function stage() {
  const views = [agentView('a'), agentView('b', {}, { agent: 'codex' })];
  const [changed, configured] = [new Emitter<readonly string[]>(), new Emitter<void>()];
  const readings: { agent: string; since: number; signal: AbortSignal; counted: (past: Past) => void }[] = [];
  const log = recordingLog();
  let breaks = false;
  const rules = new RulesPage(
    {
      engine: {
        onDidChange: changed.event,
        agent: (session: string) => views.find((view) => view.session === session),
        session: () => undefined,
      },
      feedback: { list: () => [] },
      context: { extensionUri: {} },
      log,
      now: () => Date.now(),
    } as never,
    {
      configuration: { onDidChange: configured.event, settings: { preset: 'balanced' } },
      detectors: () => resolveOptions({ preset: 'balanced', detectors: {} }),
      past: {
        read: (agent: string, since: number, signal: AbortSignal, counted: (past: Past) => void) => {
          readings.push({ agent, since, signal, counted });
          return breaks ? Promise.reject(new Error('gone')) : Promise.resolve();
        },
      },
    } as never,
  );
  const open = (session: string) => {
    rules.show(session);
    page.says({ type: 'ready' });
  };
  return { rules, open, changed, configured, readings, log, breaks: () => void (breaks = true) };
}

const past = (read: number, all: number): Past => ({ read, all, of: () => [] });
/** The note about the past in each message. */
const readOf = () => (page.sent as { past: string }[]).map((message) => message.past);

describe('the page of rules', () => {
  it('reads the last seven days of its kind of agent once, and everything on request', () => {
    const { rules, open, readings } = stage();
    open('a');
    rules.show('a');
    expect(readings.map(({ agent, since }) => [agent, since])).toEqual([['claude-code', T0 - 7 * DAY]]);
    page.says({ type: 'allHistory' });
    expect(readings.map(({ since, signal }) => [since, signal.aborted])).toEqual([
      [T0 - 7 * DAY, true],
      [0, false],
    ]);
    expect(page.opened).toEqual(['Rules']);
  });

  it('shows no past of another kind of agent', async () => {
    const { open, rules, readings } = stage();
    open('a');
    rules.show('b');
    page.sent.length = 0;
    readings[0]?.counted(past(5, 9));
    await vi.runAllTimersAsync();
    expect(readOf()).toEqual([]);
    readings[1]?.counted(past(1, 2));
    await vi.runAllTimersAsync();
    expect(readOf()).toEqual(['Reading the last 7 days: 1 of 2 transcripts…']);
  });

  it('shows counts at most once a second, of its own agent', async () => {
    const { open, changed } = stage();
    open('a');
    page.sent.length = 0;
    for (let i = 0; i < 5; i++) changed.fire(['a']);
    changed.fire(['b']);
    await vi.advanceTimersByTimeAsync(999);
    expect(page.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    changed.fire(['b']);
    expect([page.sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('stops reading while it is hidden, and starts again when it is back', async () => {
    const { open, readings, changed } = stage();
    open('a');
    page.turns(false);
    readings[0]?.counted(past(5, 9));
    changed.fire(['a']);
    expect([readings[0]?.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
    page.turns(true);
    expect(readings).toHaveLength(2);
    // The last count is kept even if the page is hidden.
    page.turns(false);
    readings[1]?.counted(past(9, 9));
    page.turns(true);
    expect([readings.length, readOf().at(-1)]).toEqual([2, expect.stringContaining('9 transcripts of this folder')]);
  });

  it("writes a change to the person's settings, for this kind of agent", async () => {
    const { open } = stage();
    open('b');
    page.says({ type: 'change', detector: 'repeating_action', change: 'off' });
    page.says({ type: 'openSettings' });
    await vi.runAllTimersAsync();
    expect(JSON.stringify(settings.get('detectors'))).toContain('codex');
    expect(editor.targets).toEqual(['global']);
    expect(editor.commands).toEqual([['workbench.action.openSettings', 'unstuck.detectors']]);
  });

  it('keeps a change that is still being written when the next one is made', async () => {
    const { open } = stage();
    const written = vi.spyOn(workspace, 'getConfiguration').mockImplementation(() => ({
      get: (name: string) => settings.get(name),
      inspect: (name: string) => ({ globalValue: settings.get(name), workspaceValue: undefined }),
      // VS Code writes the file first; only then is the new value read.
      update: (name: string, value: unknown) =>
        new Promise<void>((done) => setTimeout(() => done(void settings.set(name, value)), 50)),
    }));
    open('b');
    page.says({ type: 'change', detector: 'repeating_action', change: 'off' });
    page.says({ type: 'change', detector: 'cycle', change: 'off' });
    await vi.runAllTimersAsync();
    expect(settings.get('detectors')).toEqual({ agents: { codex: { repeating_action: 'off', cycle: 'off' } } });
    written.mockRestore();
  });

  it('says if the folder overrides a change, and not if the folder has no rules', () => {
    const noticeOf = () => (page.sent.at(-1) as { notice: string }).notice;
    const { open, configured } = stage();
    settings.set('detectors', {});
    open('a');
    folderSettings.set('detectors', { cycle: 'off' });
    configured.fire();
    expect(noticeOf()).toMatch(/folder/i);
  });

  it('leaves no empty object behind after the last change is reset', async () => {
    const { open } = stage();
    open('b');
    page.says({ type: 'change', detector: 'repeating_action', change: 'off' });
    await vi.runAllTimersAsync();
    page.says({ type: 'change', detector: 'repeating_action', change: 'reset' });
    await vi.runAllTimersAsync();
    expect([settings.has('detectors'), settings.get('detectors')]).toEqual([true, undefined]);
  });

  it('offers less or more sensitivity only within its range', () => {
    const { open } = stage();
    open('a');
    const { rows } = page.sent.at(-1) as { rows: { detector: string; canBeLess: boolean; canBeMore: boolean }[] };
    expect(rows.find(({ detector }) => detector === 'repeating_action')).toMatchObject({
      canBeLess: true,
      canBeMore: true,
    });
  });

  it('is restored with its agent, and closed if another version stored it', async () => {
    const { readings } = stage();
    await restorePanel(makeTab(), {});
    expect(page.disposed).toBe(1);
    await restorePanel(makeTab(), { session: 'b' });
    page.says({ type: 'ready' });
    expect(readings.map(({ agent }) => agent)).toEqual(['codex']);
  });

  it('logs what it does not understand, and what could not be read', async () => {
    const { open, log, breaks } = stage();
    breaks();
    open('a');
    page.says({ type: 'format the disk' });
    await vi.runAllTimersAsync();
    expect(log.lines).toEqual([
      'warn: the page of rules sent a message that is not understood',
      'warn: the past of the rules could not be read: Error: gone',
    ]);
  });

  it('ends with its window', async () => {
    const { rules, open, readings, changed, configured } = stage();
    open('a');
    changed.fire(['a']);
    page.sent.length = 0;
    rules.dispose();
    changed.fire(['a']);
    configured.fire();
    await vi.runAllTimersAsync();
    expect([readings[0]?.signal.aborted, page.sent, page.disposed]).toEqual([true, [], 1]);
  });
});
