import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SnapshotInput } from '../../../../src/editor/panel-model/snapshot-input';
import { setPanelContext, snapshotNow } from '../../../../src/editor/panel/panel-input';
import { T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
vi.mock('../../../../src/editor/panel-model/build', () => ({ panelSnapshot: (input: unknown) => input }));
beforeEach(resetEditor);

const INCIDENT = incident({ id: 'A' });
const VIEW = agentView('s', {}, { incidents: [INCIDENT], deleted: true });
const RECOVERY = { rungs: [] } as never;
const BEFORE = { noted: 'Read the error.' } as never;
const REPORTS = [{ at: T0 }] as never;

const services = {
  now: () => T0,
  store: { status: () => ({ mode: 'locked' }) },
  agents: { timeline: () => undefined, reportsOf: () => REPORTS, incidentsOf: () => [INCIDENT] },
} as never;

const controls = () => ({
  messages: {
    draft: () => 'Print the path.',
    reach: () => ({ kind: 'next_call' }),
    isConnected: () => true,
    notTested: () => 'Not tested with 9.0.',
  },
  recovery: {
    shown: () => RECOVERY,
    helpedBefore: () => BEFORE,
    waitsForClose: () => true,
    surfaceOf: () => 'terminal',
  },
});
const parts = { configuration: { isPaused: true }, controls } as never;

describe('the input of a snapshot', () => {
  const shown = { session: 's', incident: 'A' };

  it('is everything that the window knows about the agent', () => {
    const expected: Required<SnapshotInput> = {
      view: VIEW,
      steps: {
        from: 0,
        at: new Float64Array(0),
        flags: new Uint8Array(0),
        outcomes: new Uint32Array(0),
        lines: new Uint32Array(0),
      },
      subjects: { from: 0, subjects: [] },
      markers: [],
      reports: REPORTS,
      past: [INCIDENT],
      chosen: 'A',
      flags: { restricted: false, paused: true, gone: true, storeLocked: true },
      surface: 'terminal',
      closing: true,
      draft: 'Print the path.',
      reach: { kind: 'next_call' },
      connected: true,
      notTested: 'Not tested with 9.0.',
      recovery: RECOVERY,
      helpedBefore: BEFORE,
      now: T0,
    };
    expect(snapshotNow(shown, { view: VIEW, incident: INCIDENT }, services, parts)).toEqual(expected);
  });

  it('offers no recovery for an agent that only the history knows', () => {
    const input = snapshotNow(shown, { view: VIEW, past: INCIDENT, incident: INCIDENT }, services, parts);
    expect(input).toMatchObject({ flags: { past: true } });
    expect(input).not.toHaveProperty('recovery');
    expect(input).not.toHaveProperty('helpedBefore');
  });
});

it('VS Code offers the commands for the place where the agent runs', () => {
  setPanelContext({ view: VIEW, incident: INCIDENT }, parts);
  expect(Object.fromEntries(editor.commands.map(([, key, value]) => [key, value]))).toEqual({
    'unstuck.panelSurface': true,
    'unstuck.panelCloses': true,
    'unstuck.evidenceSeen': true,
  });
});

it('trouble with the history is shown only if there is any', () => {
  const ready = { ...(services as object), store: { status: () => ({ mode: 'ready' }) } } as never;
  const lockedIn = (of: never) =>
    (snapshotNow({ session: 's' }, { view: VIEW }, of, parts) as unknown as SnapshotInput).flags.storeLocked;
  expect([lockedIn(services), lockedIn(ready)]).toEqual([true, false]);
});

it('the menus of the panel know where its agent runs, and are updated for the next one', () => {
  const inTerminal = (surface: string | null) => ({
    controls: () => ({ recovery: { surfaceOf: () => surface, waitsForClose: () => surface !== null } }),
  });
  for (const surface of ['terminal', null, 'chat']) setPanelContext({ view: VIEW }, inTerminal(surface) as never);
  const set = (key: string) =>
    editor.commands.filter((command) => command[1] === `unstuck.${key}`).map(([, , on]) => on);
  expect(set('panelSurface').slice(-2)).toEqual([false, true]);
  expect(set('panelCloses').slice(-2)).toEqual([false, true]);
});
