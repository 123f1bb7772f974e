import { describe, expect, it } from 'vitest';
import { Counts } from '../../../../src/cli/metrics/counts';
import type { Measurement } from '../../../../src/cli/metrics/metrics';
import { type IncidentInput, next } from '../../../../src/detect/incident';
import { open } from '../../../../src/detect/incident/reducer';
import { CARDS } from '../../../../src/core/rules';
import type { Incident } from '../../../../src/core/model';
import { clearing, finding, progress } from '../../support/findings';

const SESSION = { agent: 'codex', agentName: 'Codex', session: 's', title: 'Fix it', file: '/t.jsonl' } as const;
const READING = {};

const origin = (at: number, reading: object = READING, session = 's') =>
  ({ agent: 'codex', session, reading, at }) as const;

/** The life of an incident: each state with the one before, as an engine reports it. */
function life(first: Incident, ...inputs: readonly IncidentInput[]): [Incident, Incident | null][] {
  const states = inputs.reduce<Incident[]>((all, input) => [...all, next(all.at(-1) ?? first, input)], [first]);
  return states.map((incident, index) => [incident, states[index - 1] ?? null]);
}

const told = (counts: Counts, changes: readonly [Incident, Incident | null][]) =>
  changes.flatMap(([incident, before]) => counts.incident(incident, before)).map(short);

/** A measurement in one line: name, values of its labels except the agent's, value. */
function short({ metric, labels, value }: Measurement): string {
  const { 'gen_ai.agent.name': agent, ...others } = labels;
  expect(agent).toBe('codex');
  return [metric, ...Object.values(others), value].join(' ');
}

const opened = (second: number, fields: Parameters<typeof finding>[1] = {}) =>
  open(finding(second, fields), SESSION, `at ${second}`, false);
const growsStuck = (second: number): IncidentInput => ({
  type: 'finding',
  finding: finding(second, { level: 'stuck', count: 6 }),
});
const clears = (second: number): IncidentInput => ({ type: 'clearing', clearing: clearing(second), line: second });
const progresses = (second: number): IncidentInput => ({ type: 'progress', marker: progress(second) });

describe('steps', () => {
  it('count by how they ended, and only those since the start', () => {
    const counts = new Counts(5_000);
    expect(counts.step(origin(4_999), false)).toEqual([]);
    expect(counts.step(origin(5_000), false).map(short)).toEqual(['unstuck.steps success 1']);
    expect(counts.step(origin(5_000), true).map(short)).toEqual(['unstuck.steps failure 1']);
  });

  it('of one transcript count in any order of their times', () => {
    const counts = new Counts(0);
    const times = [3_000, 1_000, 1_000, 2_000];
    expect(times.flatMap((at) => counts.step(origin(at), false))).toHaveLength(4);
  });

  it('do not count again if the transcript is read again', () => {
    const counts = new Counts(0);
    for (const at of [1_000, 3_000, 2_000]) counts.step(origin(at), false);
    const again = {};
    expect([1_000, 3_000, 2_000].flatMap((at) => counts.step(origin(at, again), false))).toEqual([]);
    expect(counts.step(origin(3_001, again), false)).toHaveLength(1);
    expect(counts.step(origin(3_001, again), false)).toHaveLength(1);
    const third = {};
    expect(counts.step(origin(3_001, third), false)).toEqual([]);
    expect(counts.step(origin(1_000, third, 'another session'), false)).toHaveLength(1);
  });
});

describe('tokens', () => {
  it('count as the transcript reports them, and not at all if it does not', () => {
    const counts = new Counts(0);
    expect(counts.usage(origin(1), { inputTokens: 900, outputTokens: 0 }).map(short)).toEqual([
      'gen_ai.client.token.usage chat input 900',
      'gen_ai.client.token.usage chat output 0',
    ]);
    expect(counts.usage(origin(2), { outputTokens: 7 }).map(short)).toEqual([
      'gen_ai.client.token.usage chat output 7',
    ]);
    expect(counts.usage(origin(3), { inputTokens: -1, outputTokens: Number.NaN })).toEqual([]);
  });

  it('do not hide steps of the same moment, and are not hidden by steps', () => {
    const counts = new Counts(0);
    const again = {};
    counts.step(origin(9), false);
    expect(counts.usage(origin(9, again), { inputTokens: 1 })).toHaveLength(1);
  });
});

describe('alarms', () => {
  it('count once for each level that an incident reaches', () => {
    const counts = new Counts(0);
    const grows: IncidentInput = { type: 'finding', finding: finding(7, { count: 4 }) };
    expect(told(counts, life(opened(6), grows, growsStuck(8), growsStuck(9)))).toEqual([
      'unstuck.alarms repeating_outcome warn 1',
      'unstuck.alarms repeating_outcome stuck 1',
    ]);
    expect(told(counts, life(opened(20, { level: 'stuck' })))).toEqual(['unstuck.alarms repeating_outcome stuck 1']);
  });

  it('count again when the incident comes back', () => {
    const counts = new Counts(0);
    const back: IncidentInput = { type: 'finding', finding: finding(12, { count: 5 }) };
    expect(told(counts, life(opened(6), clears(9), back))).toEqual([
      'unstuck.alarms repeating_outcome warn 1',
      'unstuck.alarms repeating_outcome warn 1',
    ]);
  });

  it('do not count if the incident existed before the start, until it becomes graver', () => {
    const counts = new Counts(7_000);
    expect(told(counts, life(opened(6), growsStuck(8)))).toEqual(['unstuck.alarms repeating_outcome stuck 1']);
  });

  it('do not count twice if the transcript is read again', () => {
    const counts = new Counts(0);
    const whole = life(opened(6), growsStuck(8));
    expect(told(counts, whole)).toHaveLength(2);
    expect(told(counts, whole)).toEqual([]);
  });
});

describe('agents that were freed', () => {
  const byNudge: IncidentInput[] = [
    {
      type: 'attempt',
      attempt: { attempt: 1, kind: 'nudge', message: 'm', at: 9_000, automated: false, state: 'seen', takenAt: 9_500 },
    },
    clears(10),
    progresses(12),
  ];

  it('count by what freed them, and how long they had been stuck', () => {
    expect(told(new Counts(0), life(opened(6), growsStuck(8), ...byNudge)).slice(2)).toEqual([
      'unstuck.stuck.seconds 2',
      'unstuck.freed nudge 1',
    ]);
    expect(told(new Counts(0), life(opened(6), growsStuck(8), clears(10), progresses(12))).slice(2)).toEqual([
      'unstuck.stuck.seconds 2',
      'unstuck.freed by_itself 1',
    ]);
  });

  it('do not include those that only got a warning', () => {
    expect(told(new Counts(0), life(opened(6), ...byNudge))).toEqual(['unstuck.alarms repeating_outcome warn 1']);
  });

  it('do not include those that needed no help, nor those whose session ended', () => {
    const notStuck: IncidentInput = { type: 'not_stuck', at: 9_000 };
    const end: IncidentInput = { type: 'session_end', at: 9_000, line: 9 };
    const after = (input: IncidentInput) => told(new Counts(0), life(opened(6), growsStuck(8), input)).slice(2);
    expect(after(notStuck)).toEqual([]);
    expect(after(end)).toEqual(['unstuck.stuck.seconds 1']);
  });
});

describe('an agent that is seen for the first time', () => {
  it('has all counters, at 0, once', () => {
    const counts = new Counts(0);
    const first = counts.agent('codex');
    expect(first.every(({ value }) => value === 0)).toBe(true);
    const of = (name: string) => first.filter(({ metric }) => metric === name).length;
    expect([of('unstuck.steps'), of('unstuck.alarms'), of('unstuck.freed')]).toEqual([2, 2 * CARDS.length, 6]);
    expect(new Set(first.map(short)).size).toBe(first.length);
    expect(counts.agent('codex')).toEqual([]);
  });
});
