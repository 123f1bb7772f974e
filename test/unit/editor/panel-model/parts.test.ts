import { describe, expect, it } from 'vitest';
import type { AgentView, GateFailure, GateResult, Incident } from '../../../../src/core/model';
import { MESSAGE_LENGTH, letterIndex } from '../../../../src/editor/panel-model';
import { panelSnapshot } from '../../../../src/editor/panel-model/build';
import { plain } from '../../../../src/core/words';
import { MINUTE, T0, attempt, incident, recovered } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { delivery } from '../webview/support/panel-fixtures';
import { NOW, shown, state, stepsOf } from './support/shown';

describe('the incidents of the panel', () => {
  it('are the shown one, and the others once each, active ones first', () => {
    const [grave, second] = [incident({ id: 'A' }), incident({ id: 'B' })];
    const past = recovered({ id: 'P' });
    const snapshot = shown({ incidents: [grave, second] }, { past: [past, grave] });
    expect(snapshot.incident?.id).toBe('A');
    expect(snapshot.others.map(({ id }) => id)).toEqual(['B', 'P']);
    expect(snapshot.others[1]).toEqual({
      id: 'P',
      state: 'recovered',
      level: 'stuck',
      detector: 'repeating_action',
      rule: null,
      subject: 'pytest -q',
      count: 4,
      firstAt: T0,
      resolvedAt: past.resolvedAt,
      cleared: 'different_result',
      outcome: 'nudge',
      attempts: 1,
    });
    const chosen = shown({ incidents: [grave, second] }, { past: [past], chosen: 'B' });
    expect([chosen.incident?.id, chosen.others.map(({ id }) => id)]).toEqual(['B', ['A', 'P']]);
  });

  it('are listed once if the history has one that is still open', () => {
    const [grave, second] = [incident({ id: 'A' }), incident({ id: 'B' })];
    expect(shown({ incidents: [grave, second] }, { past: [{ ...second }] }).others.map(({ id }) => id)).toEqual(['B']);
  });

  it('are at most twenty besides the shown one', () => {
    const past = Array.from({ length: 30 }, (_, i) => recovered({ id: `P${i}` }));
    expect(shown({}, { past }).others).toHaveLength(20);
  });

  it('have their evidence with its places, and the steps and letters if there are any', () => {
    const source = { file: '/t.jsonl', line: 7, offset: 70 };
    const evidence: Incident['evidence'] = [
      { source, at: T0, role: 'first', subject: 'make', text: '1 failed', step: 3, letter: 'A' },
      { source: { ...source, line: 9 }, at: T0 + 1, role: 'between', subject: 'Edit a', text: 'ok' },
    ];
    const shownIncident = shown({ incidents: [incident({ evidence })] }).incident;
    expect(shownIncident?.evidence).toEqual([
      { ...source, role: 'first', at: T0, subject: 'make', text: '1 failed', step: 3, letter: 'A' },
      { ...source, line: 9, role: 'between', at: T0 + 1, subject: 'Edit a', text: 'ok' },
    ]);
    expect(shownIncident?.resolvedAt).toBeNull();
    expect(shownIncident?.clears.map(plain)).toEqual(['a different result', 'a message from you']);
  });

  it('name the file in which the text of an oversized result was saved', () => {
    const source = { file: '/t.jsonl', line: 7, offset: 70 };
    const row = { source, at: T0, role: 'first', subject: 'cat log', text: '4 MB' } as const;
    const large = incident({
      evidence: [{ ...row, end: { ...source, line: 8 } }, { ...row, end: { ...source, line: 9 } }, row],
      spills: [{ line: 8, file: '/spills/a.txt' }],
    });
    expect(shown({ incidents: [large] }).incident?.evidence.map(({ text }) => text)).toEqual([
      '4 MB, saved for a day in /spills/a.txt',
      '4 MB',
      '4 MB',
    ]);
  });

  it('have the first and the last result if they were kept', () => {
    const source = { file: '/t.jsonl', line: 7, offset: 70 };
    const firstSample = { source, at: T0, text: 'one', ignored: [[0, 1] as const] };
    const { incident: one } = shown({ incidents: [incident({ firstSample })] });
    expect(one?.first).toEqual({ ...source, at: T0, text: 'one', ignored: [[0, 1]] });
    expect(one && 'last' in one).toBe(false);
  });
});

describe('the letters on the line', () => {
  const patterns = (of: Partial<Incident>) => shown({ incidents: [incident({ id: 'A', ...of })] }).timeline.patterns;

  it('are on the evidence if the rule lists no steps: the calls in between are not part of it', () => {
    expect(patterns({ count: 9 })).toEqual([
      { group: 'A', words: 'same result', letter: 'A', subject: 'pytest -q', steps: [10, 12, 13], count: 9 },
    ]);
    expect(patterns({ count: 1 })[0]?.count).toBe(3);
    expect(patterns({ pattern: [] })[0]?.steps).toEqual([10, 12, 13]);
  });

  it('are absent for a single step', () => {
    expect(patterns({ evidence: incident().evidence.slice(0, 2) })).toEqual([]);
  });

  it('are one for each of the alternating calls, each with its own count', () => {
    const pattern = [
      { letter: 'A', subject: 'make', steps: [1, 3] },
      { letter: 'B', subject: 'ls', steps: [2, 4] },
    ];
    expect(patterns({ pattern, count: 9 }).map(({ letter, steps, count }) => [letter, steps, count])).toEqual([
      ['A', [1, 3], 2],
      ['B', [2, 4], 2],
    ]);
  });

  it('of a single call count the steps that are no longer listed, and never fewer than those that are', () => {
    const pattern = [{ letter: '', subject: 'make', steps: [1, 3] }];
    expect(patterns({ pattern, count: 9 })[0]).toMatchObject({ letter: 'A', count: 9 });
    expect(patterns({ pattern, count: 1 })[0]).toMatchObject({ count: 2 });
  });

  it('of the gravest incident cover those of the others', () => {
    const make = (id: string, letter: string) =>
      incident({ id, pattern: [{ letter, subject: id, steps: [1, 2] }], count: 2 });
    const { timeline } = shown({ incidents: [make('grave', 'A'), make('light', 'B')] }, { steps: stepsOf(4) });
    expect(timeline.patterns.map(({ group }) => group)).toEqual(['light', 'grave']);
    expect([...timeline.flags].map(letterIndex)).toEqual([0, 1, 1, 0]);
  });
});

describe('the vitals', () => {
  const { health } = agentView('s');

  it('omit what is not known', () => {
    expect(shown({ health }).vitals).toEqual({ startedAt: health.startedAt });
  });

  it('have the last new result, the last progress and the end if they are known', () => {
    const known = {
      ...health,
      lastNewAt: T0,
      lastNewStep: 0,
      lastProgress: { kind: 'commit', at: T0, text: 'commit abc' } as never,
    };
    expect(shown({ state: state('finished'), health: known }).vitals).toMatchObject({
      endedAt: T0,
      lastNew: { at: T0, step: 0 },
      lastProgress: { at: T0, text: 'commit abc' },
    });
    // Another machine sends the time, not the step.
    expect(shown({ health: { ...health, lastNewAt: T0 } }).vitals.lastNew).toEqual({ at: T0 });
  });
});

describe('the message box', () => {
  it('is open for an agent in trouble, and empty while a nudge about the incident is on its way', () => {
    const about = (state_: 'queued' | 'taken' | 'seen' | 'acted', incidentId?: string) => {
      const one = delivery('M', state_, {});
      const { incident: _was, ...message } = one.message;
      return { ...one, message: { ...message, ...(incidentId !== undefined && { incident: incidentId }) } };
    };
    const box = (kind: AgentView['state']['kind'], ...deliveries: AgentView['deliveries']) =>
      shown({ state: state(kind), incidents: [incident({ id: 'A' })], deliveries }, { draft: 'Print it.' }).message;
    const open = (kind: AgentView['state']['kind']) => box(kind)?.open;
    const draft = (...deliveries: AgentView['deliveries']) => {
      expect(box('stuck', ...deliveries)?.open).toBe(true);
      return box('stuck', ...deliveries)?.draft;
    };
    expect([open('stuck'), open('escalated'), open('working')]).toEqual([true, true, false]);
    expect((['queued', 'taken', 'seen', 'acted'] as const).map((one) => draft(about(one, 'A')))).toEqual([
      '',
      '',
      '',
      'Print it.',
    ]);
    expect([draft(about('queued', 'B')), draft(about('queued'))]).toEqual(['Print it.', 'Print it.']);
    const refused = about('queued', 'A');
    expect(draft({ ...refused, message: { ...refused.message, kind: 'block' } })).toBe('Print it.');
  });

  it('has the draft, the route and the number of the next nudge', () => {
    const one = shown(
      {
        incidents: [incident({ id: 'A', attempts: [attempt({ message: 'M' })] })],
        deliveries: [delivery('M', 'acted', {}, {})].map((d) => ({ ...d, message: { ...d.message, incident: 'A' } })),
      },
      { draft: 'Print it.' },
    );
    expect(one.message).toEqual({
      number: 2,
      open: false,
      continues: false,
      draft: 'Print it.',
      reach: { kind: 'next_call' },
      incident: 'A',
    });
    expect(shown().message).toEqual({
      number: 1,
      open: false,
      continues: false,
      draft: '',
      reach: { kind: 'next_call' },
    });
    expect(shown({}, { reach: null }).message).toBeNull();
  });
});

describe('the messages under the box', () => {
  it('are the newest five, newest first', () => {
    const deliveries = Array.from({ length: 7 }, (_, i) => delivery(`M${i}`, 'acted', {}));
    expect(shown({ deliveries }).deliveries.map(({ id }) => id)).toEqual(['M6', 'M5', 'M4', 'M3', 'M2']);
  });

  it('count the steps since they were taken, and have no number without an incident', () => {
    const taken = delivery('M', 'acted', { taken: T0 + MINUTE }, { outcome: 'same', reason: 'why' });
    const { incident: _was, ...own } = taken.message;
    const [first, second] = shown(
      { deliveries: [taken, { ...taken, message: { ...own, id: 'N' }, times: {} }] },
      { steps: stepsOf(4), connected: false },
    ).deliveries.toReversed();
    expect(first).toMatchObject({
      id: 'M',
      kind: 'nudge',
      number: 1,
      state: 'acted',
      watched: 2,
      connected: false,
      expiry: 10 * MINUTE,
      outcome: 'same',
      reason: 'why',
    });
    expect(second).toMatchObject({ id: 'N', number: 0, watched: 0 });
  });
});

describe('the gates under the incident', () => {
  const gate = (failures: readonly GateFailure[], more: Partial<GateResult> = {}): GateResult => ({
    id: 'tests',
    name: 'tests',
    command: 'npm test',
    status: 'failed',
    reason: '',
    summary: '2 failed',
    failures,
    startedAt: 1,
    ms: 2,
    output: 'secret of the output',
    ...more,
  });
  const gates = (...results: readonly GateResult[]) =>
    shown({
      gates: {
        folder: '/work',
        cause: 'claim',
        claim: 'DONE',
        startedAt: 1,
        endedAt: 2,
        verdict: 'failed',
        attempt: 1,
        results,
      },
    }).gates;

  it('have their results, without the whole of their output', () => {
    const failure = { file: 'a.ts', line: 3, message: 'x' };
    expect(gates(gate([failure]))).toEqual({
      claim: 'DONE',
      startedAt: 1,
      endedAt: 2,
      verdict: 'failed',
      attempt: 1,
      results: [
        {
          id: 'tests',
          name: 'tests',
          command: 'npm test',
          status: 'failed',
          reason: '',
          summary: '2 failed',
          startedAt: 1,
          ms: 2,
          failures: [failure],
          more: 0,
        },
      ],
    });
  });

  it('list ten failures and count the rest, including those that the program did not list', () => {
    const many = Array.from({ length: 14 }, () => ({ message: 'x' }));
    const [one] = gates(gate(many))?.results ?? [];
    expect([one?.failures.length, one?.more]).toEqual([10, 4]);
    expect(gates(gate(many, { failed: 90 }))?.results[0]?.more).toBe(80);
    expect(gates(gate(many, { failed: 2 }))?.results[0]?.more).toBe(4);
  });

  it('show no hidden characters in the name of a file', () => {
    expect(gates(gate([{ file: 'a\u202e.ts', message: 'x' }]))?.results[0]?.failures[0]?.file).toBe('a\ufffd.ts');
  });

  it('say whether the agent was told', () => {
    const told = shown({
      gates: {
        folder: '',
        cause: 'claim',
        claim: '',
        startedAt: 1,
        endedAt: 2,
        verdict: 'failed',
        attempt: 1,
        results: [],
        message: 'M',
        notSent: 'gone',
      },
    }).gates;
    expect(told).toMatchObject({ message: 'M', notSent: 'gone' });
  });
});

it('the ladder and what helped before are passed on unchanged', () => {
  const recovery = { rungs: [], actions: [], recommended: null, automatic: null };
  const helpedBefore = { ways: [{ name: 'Nudge', helped: 1, tried: 2 }], noted: 'x', similar: ['P'] };
  expect(shown({}, { recovery, helpedBefore })).toMatchObject({ recovery, helpedBefore });
});

it('a text that is longer than a message may be is cut', () => {
  const { message } = shown({}, { draft: 'x'.repeat(MESSAGE_LENGTH + 1) });
  expect(message?.draft).toBe(`${'x'.repeat(MESSAGE_LENGTH - 1)}…`);
  expect(shown({}, { draft: 'x'.repeat(MESSAGE_LENGTH) }).message?.draft).toHaveLength(MESSAGE_LENGTH);
});

it('an agent that only the history remembers gets no message box', () => {
  const flags = { restricted: false, paused: false, gone: false, storeLocked: false };
  expect(shown({}, { flags }).message).not.toBeNull();
  expect(shown({}, { flags: { ...flags, past: true } }).message).toBeNull();
});

it('what is not known about an agent is left out, and what is known is passed on', () => {
  const { model: _model, ...rest } = agentView('s', {}, { title: 'Fix it' });
  const bare = panelSnapshot({
    view: rest,
    steps: stepsOf(0),
    subjects: { from: 0, subjects: [] },
    markers: [],
    past: [],
    flags: { restricted: false, paused: false, gone: false, storeLocked: false },
    draft: '',
    reach: null,
    connected: false,
    now: NOW,
  });
  const optional = ['model', 'branch', 'pid', 'gates', 'recovery', 'helpedBefore'];
  expect(optional.filter((key) => key in bare)).toEqual([]);
  const full = shown({
    branch: 'main',
    pid: 7,
    coverage: { seen: 1, there: 2, lines: 9, skipped: 3, problems: [], lastReadAt: T0, since: T0 },
    nearMisses: [
      { detector: 'stall', rule: null, nearest: 'make', reached: 1, limit: 2, heldBackBy: 'You asked for it' } as never,
      { detector: 'cycle', rule: null, nearest: 'ls', reached: 1, limit: 2 } as never,
    ],
  });
  expect(full).toMatchObject({
    now: NOW,
    session: 's',
    title: 'Task of s',
    agentName: 'Claude Code',
    model: 'sonnet',
    branch: 'main',
    pid: 7,
  });
  expect(full.coverage).toEqual({ seen: 1, there: 2, skipped: 3, lastReadAt: T0 });
  expect(full.nearMisses).toEqual([
    { detector: 'stall', rule: null, nearest: 'make', reached: 1, limit: 2, heldBackBy: 'You asked for it' },
    { detector: 'cycle', rule: null, nearest: 'ls', reached: 1, limit: 2 },
  ]);
});
