import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GateReport } from '../../../../src/core/model';
import type { GateParts } from '../../../../src/recover/gates/ports';
import { createGates } from '../../../../src/editor/gates/create';
import { readSettings } from '../../../../src/editor/settings/settings';
import { T0 } from '../../history/support/incidents';
import { PATIENCE } from '../../../support/patience';
import { recordingLog } from '../../support/log';
import { gateResult } from '../support/gates';
import { memento } from '../support/memento';
import { agentView } from '../support/views';
import { resetEditor, workspace } from '../support/vscode';

vi.mock('vscode', async () => {
  const vscode = await import('../support/vscode');
  const createOutputChannel = () => ({ appendLine: () => {}, show: () => {}, dispose: () => {} });
  return { ...vscode, window: { ...vscode.window, createOutputChannel } };
});
/** The parts that the gates were made with, and the calls they received. */
const made = vi.hoisted(() => ({ parts: undefined as unknown, did: [] as string[] }));
vi.mock('../../../../src/recover/gates/quality-gates', async (original) => ({
  ...(await original<object>()),
  QualityGates: class {
    constructor(parts: unknown) {
      made.parts = parts;
    }
    onDidChange = () => ({ dispose: () => {} });
    configure = () => void made.did.push('configure');
    dispose = () => void made.did.push('dispose');
  },
}));
beforeEach(() => {
  resetEditor();
  made.did.length = 0;
});

/** A window with an agent in a folder, and what its event log received. */
function stage({ when = 'on_completion', breaks = false } = {}) {
  const events: unknown[] = [];
  const claims: unknown[] = [];
  const shown: GateReport[] = [];
  const log = recordingLog();
  const view = agentView('s', {}, { cwd: '/work/calc' });
  const never = () => ({ dispose: () => {} });
  const gates = createGates(
    {
      engine: {
        onDidSignalGates: never,
        agent: (session: string) => (session === 's' ? view : undefined),
        session: () => undefined,
        showGates: (_session: string, report: GateReport) => void shown.push(report),
      },
      store: {
        appendEvent: (event: unknown) => {
          if (breaks) return Promise.reject(new Error('The disk is full.'));
          return Promise.resolve(void events.push(event));
        },
        claim: (key: unknown, what: string) => Promise.resolve((claims.push([key, what]), null)),
      },
      context: { workspaceState: memento().memory },
      settings: () =>
        readSettings({ get: (name) => (name === 'gates.enabled' ? when : undefined), inspect: () => ({}) }, true),
      folders: () => ['/work/calc'],
      now: () => T0,
      log,
    } as never,
    { holds: () => false, mostRefused: 3 } as never,
  );
  /** Resolves once the event log holds this many entries. */
  const settled = (count: number, list: readonly unknown[] = events) =>
    vi.waitFor(() => expect(list.length).toBeGreaterThanOrEqual(count), PATIENCE);
  return { gates, parts: made.parts as GateParts, events, claims, shown, log, view, settled };
}

const report = (more: Partial<GateReport> = {}): GateReport => ({
  folder: '/work/calc',
  cause: 'claim',
  claim: 'TASK_COMPLETE',
  startedAt: T0,
  endedAt: null,
  verdict: 'running',
  results: [],
  attempt: 2,
  ...more,
});
const failed = report({
  endedAt: T0 + 9_000,
  verdict: 'failed',
  results: [
    gateResult({ status: 'failed', summary: '2 failed' }),
    gateResult({ id: 'lint', name: 'lint', status: 'skipped', reason: 'needs tests' }),
  ],
});

describe('the event log', () => {
  it('has each run once, when it is over, with what failed and why', async () => {
    const { parts, events, shown, settled } = stage();
    parts.engine.showGates('s', report());
    parts.engine.showGates('s', failed);
    parts.engine.showGates('s', failed);
    await settled(1);
    expect(shown).toHaveLength(3);
    expect(events).toMatchObject([
      {
        t: T0,
        type: 'Gate',
        session: 's',
        agent: 'claude-code',
        data: {
          verdict: 'failed',
          cause: 'claim',
          claim: 'TASK_COMPLETE',
          attempt: 2,
          ms: 9_000,
          blockedBy: expect.anything(),
          summary: expect.stringContaining('tests'),
          gates: [
            { name: 'tests', status: 'failed', summary: '2 failed' },
            { name: 'lint', status: 'skipped', summary: 'needs tests' },
          ],
        },
      },
    ]);
    parts.engine.showGates('s', { ...failed, startedAt: T0 + 60_000 });
    await settled(2);
    expect(events).toHaveLength(2);
  });

  it('mentions no block if the gates passed, or if the session is gone', async () => {
    const { parts, events, settled } = stage();
    parts.engine.showGates('gone', failed);
    parts.engine.showGates('s', report({ verdict: 'passed', endedAt: T0, results: [gateResult()] }));
    await settled(1);
    expect(events).toHaveLength(1);
    expect((events[0] as { data: object }).data).not.toHaveProperty('blockedBy');
  });

  it('has what was sent to the agent, and who sent it', async () => {
    const { parts, events, view, settled } = stage();
    parts.sent(view, failed, 'M', true);
    await settled(1);
    expect(events).toEqual([
      {
        t: T0,
        type: 'Recovery',
        session: 's',
        agent: 'claude-code',
        data: { action: 'gate', message: 'M', attempt: 2, automated: true },
      },
    ]);
  });

  it('does not stop anything if it cannot be written, and this is logged', async () => {
    const { parts, log, view, settled } = stage({ breaks: true });
    parts.sent(view, failed, 'M', true);
    parts.engine.showGates('s', failed);
    await settled(2, log.lines);
    expect(log.lines).toEqual(Array(2).fill(expect.stringContaining('the event log could not be written')));
  });
});

describe('the gates of a window', () => {
  it.each([
    ['on_completion', true],
    ['by_command', false],
  ])('run when an agent says that it is done only if that is set: %s', (when, onCompletion) => {
    expect(stage({ when }).parts.settings()).toMatchObject({ onCompletion });
  });

  it('notice when the folder is no longer trusted', () => {
    const { parts } = stage();
    expect(parts.isTrusted()).toBe(true);
    workspace.isTrusted = false;
    expect(parts.isTrusted()).toBe(false);
  });

  it('are run by one window for each session', async () => {
    const { parts, claims, view } = stage();
    await parts.claim(view, 'run');
    expect(claims).toEqual([[{ agent: 'claude-code', session: 's', key: 'gates' }, 'run']]);
  });

  it('end with it', () => {
    const { gates } = stage();
    gates.configure();
    gates.dispose();
    expect(made.did).toEqual(['configure', 'dispose']);
  });
});
