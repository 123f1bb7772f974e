import { describe, expect, it } from 'vitest';
import {
  heard,
  IncidentBook,
  incidentId,
  notStuck,
  withNotStuck,
  withoutNotStuck,
} from '../../../../src/detect/incident';
import type { FeedbackEntry, Incident } from '../../../../src/core/model';
import { incident } from '../../history/support/incidents';
import { clearing, finding, progress } from '../../support/findings';

const facts = {
  agent: 'claude-code',
  agentName: 'Claude Code',
  session: 's',
  title: 'Fix it',
  file: '/t.jsonl',
} as const;

function book() {
  return new IncidentBook({
    facts: () => facts,
    id: (found) => incidentId(found.at, 's', found.key),
    isHistory: () => false,
    onChange: () => {},
  });
}
const newest = (of: IncidentBook): Incident => of.all()[0] as Incident;

describe('a person says that an agent is not stuck', () => {
  it('ends the incident, and neither progress nor a clearing changes that', () => {
    const it = book();
    it.finding(finding(8, { level: 'stuck', count: 4 }));
    it.change(newest(it).id, { type: 'not_stuck', at: 9_000 });
    it.clearing(clearing(12));
    it.progress(progress(13));
    expect(newest(it)).toMatchObject({ state: 'ended', outcome: 'not_stuck', cleared: null, resolvedAt: 9_000 });
    expect(it.active()).toEqual([]);
  });

  it('makes a recurrence at twice the count an incident of its own, which may notify', () => {
    const it = book();
    it.finding(finding(8, { level: 'stuck', count: 4 }));
    const { id } = newest(it);
    it.change(id, { type: 'notified', at: 8_500 });
    it.change(id, { type: 'not_stuck', at: 9_000 });
    it.finding(finding(20, { level: 'stuck', count: 8 }));
    expect(it.all()).toHaveLength(2);
    expect(newest(it)).toMatchObject({ state: 'open', notified: false, count: 8 });
    expect(it.get(id)).toMatchObject({ state: 'ended', outcome: 'not_stuck' });
  });

  it('reopens the same incident if this is undone and the streak continues', () => {
    const it = book();
    it.finding(finding(8, { level: 'stuck', count: 4 }));
    const { id } = newest(it);
    it.change(id, { type: 'not_stuck', at: 9_000 });
    it.change(id, { type: 'take_back', at: 9_500 });
    expect(it.active()).toEqual([]);
    it.finding(finding(10, { level: 'stuck', count: 5 }));
    expect(it.active()).toMatchObject([{ id, state: 'open', outcome: null, count: 5 }]);
  });

  it('stays when another reader takes over the session', () => {
    const [first, second] = [book(), book()];
    for (const one of [first, second]) one.finding(finding(8, { level: 'stuck', count: 4 }));
    first.change(newest(first).id, { type: 'not_stuck', at: 9_000 });
    second.takeOver(newest(first));
    expect(newest(second)).toMatchObject({ state: 'ended', outcome: 'not_stuck', resolvedAt: 9_000 });
  });
});

describe('what is remembered of it', () => {
  const said = (of: Partial<Incident>) => notStuck(incident(of), 'shown', 5);

  it('is the rule, the call and twice what was seen', () => {
    const one = said({ id: 'A', detector: 'repeating_action', rule: null, subject: 'make', count: 4, folder: '/work' });
    expect(one).toMatchObject({ incident: 'A', detector: 'repeating_action', limit: 8, count: 4, folder: '/work' });
    expect(one.subject).toBe('shown');
    expect(JSON.stringify(one)).not.toContain('make');
    expect(one.call).toBe(said({ subject: 'make', session: 'other' }).call);
    expect(one.call).not.toBe(said({ subject: 'make test' }).call);
  });

  it('is the last word about each rule and call', () => {
    const first = said({ id: 'A', subject: 'make', count: 4 });
    const other = said({ id: 'B', subject: 'cargo build', count: 5 });
    const again = said({ id: 'C', subject: 'make', count: 8 });
    const list = withNotStuck(withNotStuck([first], other), again);
    expect(list).toEqual([other, again]);
    expect(withoutNotStuck(list, first)).toEqual([other]);
  });

  it('is bounded: the oldest is forgotten first', () => {
    const all = Array.from({ length: 300 }, (_, at) => said({ subject: `call ${at}` }));
    const list = all.reduce(withNotStuck, [] as readonly ReturnType<typeof said>[]);
    expect(list).toHaveLength(200);
    expect(list.at(-1)).toBe(all.at(-1));
  });
});

describe('what other windows said', () => {
  const said = (subject: string, at: number) => notStuck(incident({ subject, count: 4 }), subject, at);
  const entry = (action: FeedbackEntry['action'], subject: string, at: number): FeedbackEntry => ({
    ...said(subject, at),
    action,
  });

  it('is applied in the order in which it was said', () => {
    const own = [said('make', 20)];
    const { list, said: news } = heard(own, [
      entry('not_stuck', 'cargo build', 10),
      entry('not_stuck', 'npm test', 30),
    ]);
    expect(list.map(({ subject, at }) => [subject, at])).toEqual([
      ['cargo build', 10],
      ['make', 20],
      ['npm test', 30],
    ]);
    expect(news.map(({ subject }) => subject)).toEqual(['cargo build', 'npm test']);
    expect(list.some((one) => 'action' in one)).toBe(false);
  });

  it('is decided for one call by the last word, from any window', () => {
    const own = [said('make', 20)];
    expect(heard(own, [entry('taken_back', 'make', 30)])).toMatchObject({ list: [], takenBack: [{ at: 30 }] });
    expect(heard(own, [entry('not_stuck', 'make', 30)]).list).toMatchObject([{ at: 30 }]);
    expect(heard([], [entry('not_stuck', 'make', 10), entry('taken_back', 'make', 30)]).list).toEqual([]);
    expect(heard([], [entry('taken_back', 'make', 10), entry('not_stuck', 'make', 30)]).list).toMatchObject([
      { at: 30 },
    ]);
  });

  it('and was said before this window’s own word changes nothing: the list is the same object', () => {
    const own = [said('make', 20)];
    for (const entries of [
      [],
      [entry('not_stuck', 'make', 20)],
      [entry('not_stuck', 'make', 10)],
      [entry('taken_back', 'make', 10)],
      [entry('taken_back', 'npm test', 30)],
    ])
      expect(heard(own, entries).list).toBe(own);
  });
});
