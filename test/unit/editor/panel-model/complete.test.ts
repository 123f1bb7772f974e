import { expect, it } from 'vitest';
import { MINUTE, T0, incident, recovered } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { withCode } from '../../../../src/core/words';
import type { PanelSnapshot } from '../../../../src/editor/panel-model';
import { delivery } from '../webview/support/panel-fixtures';
import { NOW, shown, state, stepsOf } from './support/shown';

/** Every field of the snapshot except those of an agent on another machine. This does not compile until a new field is added here. */
type Complete = Required<Omit<PanelSnapshot, 'machine' | 'reports'>>;

it('no fact about an agent is lost on its way to the panel', () => {
  const gates = { cause: 'asked', startedAt: T0, verdict: 'passed', attempt: 1, results: [] } as never;
  const recovery = { rungs: [], actions: [], recommended: null, automatic: null };
  const helpedBefore = { ways: [], noted: 'Read the error.', similar: ['OLD'] };
  const flags = { restricted: false, paused: true, gone: false, storeLocked: false };
  const nearMiss = { detector: 'repeating_action', rule: null, nearest: 'make', reached: 2, limit: 4 } as never;
  const steps = stepsOf(3);
  const snapshot = shown(
    {
      model: 'sonnet',
      branch: 'fix/total',
      pid: 4711,
      run: { number: 7, isLast: true },
      state: state('recovering'),
      incidents: [incident({ id: 'A' })],
      deliveries: [delivery('M', 'taken', { queued: T0, taken: T0 + MINUTE })],
      nearMisses: [nearMiss],
      hints: [incident({ id: 'H', detector: 'premature_action', why: 'It edited `a.ts` without reading it.' })],
      doing: { kind: 'tool', subject: 'make', since: T0 } as never,
      coverage: { seen: 3, there: 4, lines: 10, skipped: 1, problems: [], lastReadAt: T0, since: 5 },
      gates,
    },
    { steps, past: [recovered({ id: 'P' })], flags, surface: 'terminal', draft: 'Stop.', recovery, helpedBefore },
  );
  const { health } = agentView('s');
  const expected: Complete = {
    now: NOW,
    agentName: 'Claude Code',
    session: 's',
    title: 'Task of s',
    model: 'sonnet',
    branch: 'fix/total',
    cwd: '/home/me/calc',
    pid: 4711,
    run: { number: 7, isLast: true },
    surface: 'terminal',
    state: state('recovering'),
    flags,
    lead: expect.objectContaining({ kind: 'recovering' }),
    incident: expect.objectContaining({ id: 'A' }),
    hints: [
      {
        file: expect.any(String),
        line: expect.any(Number),
        offset: expect.any(Number),
        why: withCode('It edited `a.ts` without reading it.'),
      },
    ],
    others: [expect.objectContaining({ id: 'P' })],
    vitals: { startedAt: health.startedAt },
    health: expect.objectContaining({ calls: 0, tools: [], claims: 0 }),
    timeline: expect.objectContaining({ ...steps, markers: [], silentSince: health.lastEventAt }),
    nearMisses: [nearMiss],
    message: expect.objectContaining({ draft: 'Stop.', reach: { kind: 'next_call' } }),
    deliveries: [expect.objectContaining({ id: 'M', state: 'taken', watched: 1 })],
    coverage: { seen: 3, there: 4, skipped: 1, lastReadAt: T0 },
    gates: expect.objectContaining({ verdict: 'passed', attempt: 1 }),
    recovery,
    helpedBefore,
  };
  expect(snapshot).toEqual(expected);
});
