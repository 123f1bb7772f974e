import { describe, expect, it } from 'vitest';
import type { Finding, Incident } from '../../../../src/core/model';
import { IncidentBook, incidentId, mayNotify } from '../../../../src/detect/incident';
import { clearing, finding, progress, source } from '../../support/findings';

function book(startedAt = 0) {
  return new IncidentBook({
    facts: () => ({ agent: 'claude-code', agentName: 'Claude Code', session: 's', title: 'Fix it', file: '/t.jsonl' }),
    id: (found) => incidentId(found.at, 's', found.key),
    isHistory: (at) => at < startedAt,
    onChange: () => {},
  });
}

const only = (one: IncidentBook): Incident => {
  expect(one.all()).toHaveLength(1);
  return one.all()[0] as Incident;
};

/** A streak of equal steps, from line 2 to this one. */
const loop = (line: number, level: Finding['level'] = 'warn'): Finding => finding(line, { level });
const condensed = (line: number, level: Finding['level'] = 'warn'): Finding =>
  finding(line, { detector: 'condensation_loop', key: 'condensed', level, why: 'It was condensed.' });
const tokens = (line: number, level: Finding['level'] = 'warn'): Finding =>
  finding(line, { detector: 'token_exhaustion', key: 'tokens', level, why: 'Its context is full.' });
const tooLong = (line: number): Finding =>
  finding(line, { detector: 'max_runtime', key: 'runtime', firstAt: 0, why: 'It runs for 2 h.' });
const silence = (line: number): Finding => finding(line, { detector: 'stall', key: 'silence', firstAt: line * 1000 });

describe('a rule of context that finds an incident about the same steps', () => {
  it('adds to it, and the wording stays that of the owner', () => {
    const it = book();
    it.finding(loop(6));
    it.finding(condensed(6));
    expect(only(it)).toMatchObject({
      detector: 'repeating_outcome',
      level: 'warn',
      why: loop(6).why,
      context: [{ detector: 'condensation_loop', level: 'warn' }],
    });
  });

  it('raises its level, and says why', () => {
    const it = book();
    it.finding(loop(6));
    it.finding(condensed(7, 'stuck'));
    const incident = only(it);
    expect(incident).toMatchObject({ detector: 'repeating_outcome', level: 'stuck', stuckLine: 7 });
    expect(incident.why).toBe(`${loop(6).why} It was condensed.`);
    expect(mayNotify(incident)).toBe('notify');
  });

  it('lists several in the order of the table, whichever came first', () => {
    const it = book();
    it.finding(loop(6));
    it.finding(tooLong(6));
    it.finding(tokens(7));
    it.finding(condensed(8));
    expect(only(it).context?.map(({ detector }) => detector)).toEqual([
      'condensation_loop',
      'token_exhaustion',
      'max_runtime',
    ]);
  });

  it('adds nothing to silence, which is not a streak of steps', () => {
    const it = book();
    it.finding(silence(6));
    it.finding(tokens(7));
    expect(it.all().map(({ detector }) => detector)).toEqual(['token_exhaustion', 'stall']);
  });
});

describe('a rule of context without such an incident', () => {
  it('opens its own, which the owner takes over when there is one: id, first line and level stay', () => {
    const it = book();
    it.finding(condensed(4, 'stuck'));
    const { id } = only(it);
    it.change(id, { type: 'notified', at: 4000 });
    it.finding(loop(6));
    it.finding(loop(8));
    expect(only(it)).toMatchObject({ id, detector: 'repeating_outcome', level: 'stuck', firstLine: 2, notified: true });
  });

  it('shares it with other rules of context', () => {
    const it = book();
    it.finding(condensed(4));
    it.finding(tokens(5, 'stuck'));
    it.finding(tooLong(6));
    expect(only(it)).toMatchObject({
      detector: 'token_exhaustion',
      level: 'stuck',
      context: [
        { detector: 'condensation_loop', level: 'warn' },
        { detector: 'max_runtime', level: 'warn' },
      ],
    });
  });

  it('stays separate from what began after a budget was reported, which says nothing about later steps', () => {
    const it = book();
    it.finding(tooLong(4));
    it.finding(finding(9, { firstAt: 5000 }));
    expect(it.all().map(({ detector }) => detector)).toEqual(['repeating_outcome', 'max_runtime']);
  });

  it('notifies about an owner that came while the window was open, even if its own beginning is earlier', () => {
    const it = book(5000);
    it.finding(tokens(4));
    expect(only(it).history).toBe(true);
    it.finding(loop(8, 'stuck'));
    expect(mayNotify(only(it))).toBe('notify');
  });
});

describe('two rules that both own steps', () => {
  const talk = (line: number, fields: Partial<Finding> = {}): Finding =>
    finding(line, { detector: 'monologue', key: 'talk', firstAt: 4000, why: 'It talks.', ...fields });

  it('are one incident where their steps overlap, with the wording of the first', () => {
    const it = book();
    it.finding(loop(6));
    it.finding(talk(7));
    it.finding(loop(8, 'stuck'));
    it.finding(talk(9, { level: 'stuck' }));
    expect(only(it)).toMatchObject({ detector: 'repeating_outcome', level: 'stuck', stuckLine: 8 });
  });

  it('pass it to the one that reports stuck', () => {
    const it = book();
    it.finding(loop(6));
    it.finding(talk(7, { level: 'stuck' }));
    expect(only(it)).toMatchObject({ detector: 'monologue', level: 'stuck', firstLine: 2 });
  });

  it('are one incident if the first was cleared in the middle of the second, and its level stays', () => {
    const it = book();
    it.finding(loop(6, 'stuck'));
    it.clearing(clearing(9));
    it.finding(talk(11, { firstAt: 5000, first: source(5), confidence: 0.1 }));
    expect(only(it)).toMatchObject({
      detector: 'monologue',
      level: 'stuck',
      confidence: 0.9,
      state: 'open',
      firstLine: 2,
    });
  });

  it('are one incident each if the second began after the last count of the first, even before that was cleared', () => {
    const it = book();
    it.finding(loop(6, 'stuck'));
    it.clearing(clearing(9));
    it.finding(talk(14, { firstAt: 8000, first: source(8) }));
    expect(it.all()).toHaveLength(2);
  });

  it('are one incident if one is the text between the calls of the other, whichever comes first', () => {
    const text = (line: number): Finding =>
      finding(line, { detector: 'text_loop', key: 'text', firstAt: line * 1000, first: source(line), level: 'stuck' });
    const after = book();
    after.finding(loop(6));
    after.finding(text(7));
    expect(only(after)).toMatchObject({ detector: 'text_loop', firstLine: 2 });
    const before = book();
    before.finding(text(2));
    before.clearing(clearing(3, { key: 'text', reason: 'tool_call' }));
    before.finding(finding(8, { first: source(3), firstAt: 3500 }));
    expect(only(before)).toMatchObject({ detector: 'repeating_outcome', level: 'stuck', state: 'open' });
  });

  it('pass it to the one that also names the other agent', () => {
    const it = book();
    const peers = (line: number): Finding => finding(line, { detector: 'cycle', rule: 'peers', key: 'peers' });
    it.finding(loop(6));
    it.finding(peers(7));
    it.finding(loop(8));
    expect(only(it)).toMatchObject({ rule: 'peers' });
  });

  it('continue if a warning is left of them', () => {
    const it = book();
    it.finding(loop(6, 'stuck'));
    it.finding(talk(7));
    it.clearing(clearing(9));
    it.finding(talk(10));
    expect(only(it)).toMatchObject({ detector: 'monologue', level: 'stuck', state: 'open', reopened: 0 });
  });

  it('are one incident each if the second began after the last count of the first', () => {
    const it = book();
    it.finding(loop(6, 'stuck'));
    it.finding(talk(9, { firstAt: 7000 }));
    expect(it.all()).toHaveLength(2);
  });
});

describe('an incident whose owner is gone', () => {
  it.each(['stuck', 'warn'] as const)(
    'is over if its context only warned, and the warning is a separate incident from then on (%s)',
    (level) => {
      const it = book();
      it.finding(loop(6, level));
      it.finding(tooLong(7));
      it.clearing(clearing(9));
      it.progress(progress(10));
      const [warning, first] = it.all();
      expect(first).toMatchObject({ detector: 'repeating_outcome', state: 'recovered' });
      expect(warning).toMatchObject({ detector: 'max_runtime', level: 'warn', state: 'open', openedAt: 9000 });
      expect(warning?.id).not.toBe(first?.id);
    },
  );

  it('continues if its context is stuck on its own, until that is cleared too', () => {
    const it = book();
    it.finding(loop(6));
    it.finding(tokens(7, 'stuck'));
    it.clearing(clearing(9));
    expect(only(it)).toMatchObject({ detector: 'repeating_outcome', state: 'open' });
    it.finding(tokens(10, 'stuck'));
    expect(only(it)).toMatchObject({ detector: 'token_exhaustion', why: 'Its context is full.' });
    it.clearing(clearing(11, { key: 'tokens' }));
    expect(only(it).state).toBe('unknown');
  });

  it('comes back with its owner, and with a context that is stuck, but not with a warning', () => {
    const it = book();
    it.finding(loop(6, 'stuck'));
    it.finding(tokens(7, 'stuck'));
    it.clearing(clearing(9, { key: 'tokens' }));
    it.clearing(clearing(9));
    it.finding(tokens(12));
    expect(it.all().map(({ state }) => state)).toEqual(['open', 'unknown']);
    it.clearing(clearing(13, { key: 'tokens' }));
    it.finding(loop(14, 'stuck'));
    expect(it.active()).toMatchObject([{ detector: 'repeating_outcome', reopened: 1 }]);
  });

  it('stays quiet in all its rules when a person says that it is not stuck', () => {
    const it = book();
    it.finding(loop(6, 'stuck'));
    it.finding(condensed(6, 'stuck'));
    it.change(only(it).id, { type: 'not_stuck', at: 7000 });
    it.finding(condensed(8, 'stuck'));
    expect(only(it).outcome).toBe('not_stuck');
  });
});

describe('a session that is read again', () => {
  it('recognises the incident by the key of any of its rules', () => {
    const tail = book();
    tail.finding(loop(6, 'stuck'));
    const known = only(tail);
    const whole = book();
    whole.finding(condensed(4));
    whole.finding(loop(6, 'stuck'));
    expect(whole.takeOver(known)).not.toBeNull();
    expect(only(whole).id).toBe(known.id);
  });
});
