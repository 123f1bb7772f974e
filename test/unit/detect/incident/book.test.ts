import { describe, expect, it } from 'vitest';
import { IncidentBook, incidentId, MOST_INCIDENTS, mayNotify } from '../../../../src/detect/incident';
import type { Incident } from '../../../../src/core/model';
import { clearing, finding, progress, source } from '../../support/findings';

function book(options: { startedAt?: number } = {}) {
  const changes: [string | null, string][] = [];
  const made = new IncidentBook({
    facts: () => ({ agent: 'claude-code', agentName: 'Claude Code', session: 's', title: 'Fix it', file: '/t.jsonl' }),
    id: (found) => incidentId(found.at, 's', found.key),
    isHistory: (at) => at < (options.startedAt ?? 0),
    onChange: (after, before) => void changes.push([before?.state ?? null, after.state]),
  });
  return { book: made, changes };
}

const only = (one: IncidentBook): Incident => {
  const all = one.all();
  expect(all).toHaveLength(1);
  return all[0] as Incident;
};

describe('the incidents of a session', () => {
  it('warns at the third equal result, is stuck at the fourth, and stays one incident', () => {
    const { book: it } = book();
    it.finding(finding(6));
    it.finding(finding(8, { level: 'stuck', count: 4 }));
    it.finding(finding(10, { level: 'stuck', count: 5 }));
    expect(only(it)).toMatchObject({
      state: 'open',
      level: 'stuck',
      count: 5,
      firstLine: 2,
      alertLine: 6,
      stuckLine: 8,
    });
  });

  it('is cleared by a different result, and recovered only when progress follows', () => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck' }));
    it.clearing(clearing(9));
    expect(only(it)).toMatchObject({
      state: 'unknown',
      resolvedLine: 9,
      cleared: 'different_result',
      outcome: 'by_itself',
    });
    it.progress(progress(12));
    expect(only(it).state).toBe('recovered');
  });

  it('takes the step that clears it as progress too when the check passes in it', () => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck' }));
    it.progress(progress(9));
    it.clearing(clearing(9));
    expect(only(it).state).toBe('recovered');
  });

  it('does not take progress before the clearing as recovery', () => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck' }));
    it.progress(progress(8));
    it.clearing(clearing(9));
    expect(only(it).state).toBe('unknown');
  });

  it('reopens the same incident when the same outcome is back within 50 steps, without a second notification', () => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck' }));
    it.change(only(it).id, { type: 'notified', at: 8000 });
    it.clearing(clearing(9));
    for (let step = 0; step < 50; step++) it.step();
    it.finding(finding(70, { level: 'stuck' }));
    const incident = only(it);
    expect(incident).toMatchObject({ state: 'open', reopened: 1, resolvedLine: null, cleared: null });
    expect(mayNotify(incident)).toBe('already_notified');
  });

  it('is a new incident when it comes back after more than 50 steps', () => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck' }));
    it.clearing(clearing(9));
    for (let step = 0; step < 51; step++) it.step();
    it.finding(finding(70, { level: 'stuck' }));
    expect(it.all()).toHaveLength(2);
    expect(it.active()).toHaveLength(1);
  });

  it('gives the credit to the last message that reached the agent, not to one that was withdrawn', () => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck' }));
    const { id } = only(it);
    const attempt = { attempt: 1, kind: 'nudge', message: 'M1', at: 8500, automated: false, state: 'queued' } as const;
    it.change(id, { type: 'attempt', attempt });
    expect(only(it).state).toBe('nudged');
    it.change(id, { type: 'delivery', message: 'M1', state: 'withdrawn', at: 8600 });
    expect(only(it).state).toBe('open');
    it.change(id, { type: 'attempt', attempt: { ...attempt, attempt: 2, message: 'M2' } });
    it.change(id, { type: 'delivery', message: 'M2', state: 'taken', at: 8700 });
    it.clearing(clearing(9));
    it.progress(progress(9));
    expect(only(it)).toMatchObject({ state: 'recovered', outcome: 'nudge' });
  });

  it('stays muted when it grows and when it comes back', () => {
    const { book: it } = book();
    it.finding(finding(6));
    it.change(only(it).id, { type: 'mute', at: 6100 });
    it.finding(finding(8, { level: 'stuck' }));
    it.clearing(clearing(9));
    it.finding(finding(12, { level: 'stuck' }));
    expect(only(it).state).toBe('muted');
    expect(mayNotify(only(it))).toBe('muted');
  });

  it('ends with its session', () => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck' }));
    it.sessionEnd(20_000, 20);
    expect(only(it)).toMatchObject({ state: 'ended', resolvedLine: 20, cleared: 'session_end' });
  });

  it('is history when it is from before the window opened, and never notifies', () => {
    const { book: it } = book({ startedAt: 60_000 });
    it.finding(finding(8, { level: 'stuck' }));
    expect(mayNotify(only(it))).toBe('history');
    it.change(only(it).id, { type: 'present', at: 61_000 });
    expect(mayNotify(only(it))).toBe('notify');
  });

  it('reports each change once, and nothing when nothing changed', () => {
    const { book: it, changes } = book();
    it.finding(finding(8, { level: 'stuck' }));
    const { id } = only(it);
    it.change(id, { type: 'notified', at: 1 });
    it.change(id, { type: 'notified', at: 2 });
    it.clearing(clearing(9));
    it.clearing(clearing(10));
    expect(changes).toEqual([
      [null, 'open'],
      ['open', 'open'],
      ['open', 'unknown'],
    ]);
  });
});

describe('what may notify', () => {
  const incident = (fields: Partial<Incident>): Incident => {
    const { book: it } = book();
    it.finding(finding(8, { level: 'stuck', ...(fields.certainty && { certainty: fields.certainty }) }));
    return { ...only(it), ...fields };
  };

  it.each([
    [{}, 'notify'],
    [{ level: 'warn' }, 'not_stuck_yet'],
    [{ certainty: 'guessed' }, 'guessed'],
    [{ detector: 'stall' }, 'never_for_this_rule'],
    [{ detector: 'gate_blocked', level: 'warn' }, 'notify'],
    [{ resolvedAt: 9000 }, 'over'],
  ] as const)('%o: %s', (fields, decision) => expect(mayNotify(incident(fields as Partial<Incident>))).toBe(decision));
});

describe('the id of an incident', () => {
  it('is a ULID that is the same in two windows and differs by streak and by time', () => {
    const id = incidentId(1_700_000_000_000, 's', 'k');
    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(incidentId(1_700_000_000_000, 's', 'k')).toBe(id);
    expect(incidentId(1_700_000_000_000, 's', 'l')).not.toBe(id);
    expect(incidentId(1_700_000_000_001, 's', 'k') > id).toBe(true);
  });
});

describe('the book of a session', () => {
  it('changes only incidents that it holds', () => {
    const { book: it } = book();
    it.finding(finding(6));
    const { id } = only(it);
    expect(it.change('other', { type: 'mute', at: 7000 })).toBe(false);
    expect(only(it).state).toBe('open');
    expect(it.change(id, { type: 'mute', at: 7000 })).toBe(true);
    expect(it.get(id)?.state).toBe('muted');
    expect(it.get('other')).toBeUndefined();
  });

  it('lists the newest first, and as active only what is not over', () => {
    const { book: it } = book();
    it.finding(finding(6, { key: 'outcome:1' }));
    it.finding(finding(9, { key: 'outcome:2', firstAt: 7000 }));
    it.clearing(clearing(9, { key: 'outcome:1' }));
    expect(it.all().map(({ key }) => key)).toEqual(['outcome:2', 'outcome:1']);
    expect(it.active().map(({ key }) => key)).toEqual(['outcome:2']);
  });

  it('ignores a clearing of a streak that is unknown or over', () => {
    const { book: it, changes } = book();
    it.clearing(clearing(5));
    it.finding(finding(6));
    it.clearing(clearing(9));
    it.clearing(clearing(10));
    expect(changes).toEqual([
      [null, 'open'],
      ['open', 'unknown'],
    ]);
  });

  it('names the line of the alert when the line that cleared it is unknown', () => {
    const { book: it } = book();
    it.finding(finding(6));
    it.clearing(clearing(9, { source: null }));
    expect(only(it)).toMatchObject({ resolvedLine: 6, resolvedAt: 9000 });
  });

  it('counts the steps until it forgets a streak from the clearing, not from the beginning', () => {
    const { book: it } = book();
    for (let step = 0; step < 60; step++) it.step();
    it.finding(finding(6));
    it.clearing(clearing(9));
    for (let step = 0; step < 50; step++) it.step();
    it.finding(finding(70));
    expect(only(it).reopened).toBe(1);
  });

  it('does not forget a streak that continues, however many steps it takes', () => {
    const { book: it } = book();
    it.finding(finding(6));
    for (let step = 0; step < 200; step++) it.step();
    it.finding(finding(210, { count: 9 }));
    expect(only(it)).toMatchObject({ count: 9, reopened: 0 });
  });

  it('reopens what ended with its session, which nothing cleared', () => {
    const { book: it } = book();
    it.finding(finding(6));
    it.sessionEnd(7000, 7);
    for (let step = 0; step < 200; step++) it.step();
    it.finding(finding(210));
    expect(only(it)).toMatchObject({ state: 'open', reopened: 1 });
  });

  it('remembers the last 64 incidents that are over', () => {
    const { book: it } = book();
    for (let round = 0; round < 70; round++) {
      it.finding(finding(round * 100 + 6));
      it.clearing(clearing(round * 100 + 9));
      for (let step = 0; step < 51; step++) it.step();
    }
    expect(it.all()).toHaveLength(64);
    const oldest = it.all().at(-1) as Incident;
    expect(oldest.openedAt).toBe(606_000);
    expect(it.get(oldest.id)).toBe(oldest);
    expect(it.change(oldest.id, { type: 'mute', at: 1 })).toBe(true);
  });

  it('forgets what is over although each streak has its own key, and keeps the one that continues', () => {
    const { book: it } = book();
    it.finding(finding(1, { key: 'goes on' }));
    for (let round = 0; round < 300; round++) {
      it.finding(finding(round * 100 + 6, { key: `streak ${round}` }));
      it.clearing(clearing(round * 100 + 9, { key: `streak ${round}` }));
      for (let step = 0; step < 51; step++) it.step();
    }
    expect(it.active().map(({ key }) => key)).toEqual(['goes on']);
    expect(it.all()).toHaveLength(65);
    expect(it.all().map(({ key }) => key)).toEqual([
      ...Array.from({ length: 64 }, (_, at) => `streak ${299 - at}`),
      'goes on',
    ]);
  });

  it('takes progress as proof even for what was over before the progress came', () => {
    const { book: it, changes } = book();
    it.finding(finding(6));
    it.clearing(clearing(9));
    for (let step = 0; step < 60; step++) it.step();
    it.progress(progress(80));
    it.progress(progress(81));
    expect(only(it).state).toBe('recovered');
    expect(changes.filter(([, state]) => state === 'recovered')).toHaveLength(1);
  });

  it('lists those that continue by when they opened, whatever came back in between', () => {
    const { book: it } = book();
    for (const [at, key] of ['first', 'second', 'third'].entries()) {
      const line = at + 6;
      it.finding(finding(line, { key, firstAt: line * 1000 }));
    }
    it.clearing(clearing(10, { key: 'second' }));
    it.finding(finding(12, { key: 'second', firstAt: 12_000 }));
    expect(it.active().map(({ key }) => key)).toEqual(['third', 'second', 'first']);
  });

  it('does not forget a streak that came back and was cleared again', () => {
    const { book: it } = book();
    it.finding(finding(6));
    it.clearing(clearing(9));
    for (let step = 0; step < 40; step++) it.step();
    it.finding(finding(50));
    it.clearing(clearing(52));
    for (let step = 0; step < 40; step++) it.step();
    it.finding(finding(95));
    expect(only(it)).toMatchObject({ state: 'open', reopened: 2 });
  });
});

describe('a reader that knows the whole transcript', () => {
  /** The incident of a reader of only the newest lines, with what was done to it. */
  const known = (changes: Partial<Incident> = {}): Incident => {
    const { book: it } = book();
    it.finding(finding(8));
    return { ...only(it), id: 'KNOWN', notified: true, history: true, ...changes };
  };
  const whole = () => {
    const { book: it } = book();
    it.finding(finding(6, { count: 9 }));
    return it;
  };

  it('continues with the id of the streak, and with what was done to it', () => {
    const it = whole();
    const { id } = only(it);
    const attempts: Incident['attempts'] = [
      { attempt: 1, kind: 'nudge', message: 'M', at: 9000, automated: false, state: 'queued' },
    ];
    expect(it.takeOver(known({ attempts, state: 'nudged' }))).toBe(id);
    expect(only(it)).toMatchObject({ id: 'KNOWN', state: 'nudged', attempts, notified: true, history: true, count: 9 });
  });

  it('recognises its own streak after hundreds of others have come and gone in it, and the last ones', () => {
    const it = whole();
    const { id } = only(it);
    for (let n = 0; n < 300; n++) {
      it.finding(finding(7 + n, { key: `other:${n}`, firstAt: 2000 }));
      it.clearing(clearing(8 + n, { key: `other:${n}` }));
    }
    expect(only(it).id).toBe(id);
    expect(it.takeOver(known({ key: 'other:0' }))).toBeNull();
    expect(it.takeOver(known({ key: 'other:299' }))).toBe(id);
    expect(it.takeOver(known({}))).not.toBeNull();
  });

  it('takes over only the same streak: its key, and a time that overlaps', () => {
    expect(whole().takeOver(known({ key: 'outcome:8' }))).toBeNull();
    expect(whole().takeOver(known({ firstAt: 1999 }))).toBeNull();
    expect(whole().takeOver(known({ firstAt: 2000 }))).not.toBeNull();
    const over = whole();
    over.clearing(clearing(9));
    expect(over.takeOver(known({ openedAt: 9001 }))).toBeNull();
    expect(over.takeOver(known({ openedAt: 9000 }))).not.toBeNull();
  });

  it('finds it among those that have long been over', () => {
    const it = whole();
    it.clearing(clearing(9));
    for (let step = 0; step < 51; step++) it.step();
    it.finding(finding(100, { firstAt: 99_000 }));
    expect(it.takeOver(known())).not.toBeNull();
    expect(it.all().map(({ id }) => id === 'KNOWN')).toEqual([false, true]);
  });

  it('knows better whether it is over, but not whether a person muted it', () => {
    const over = whole();
    over.clearing(clearing(9));
    over.takeOver(known());
    expect(only(over).state).toBe('unknown');
    const muted = whole();
    muted.clearing(clearing(9));
    muted.takeOver(known({ state: 'muted' }));
    expect(only(muted).state).toBe('muted');
    const active = whole();
    active.takeOver(known({ state: 'ended', resolvedAt: 9000 }));
    expect(only(active).state).toBe('open');
  });
});

it('keeps 200 streaks at a time: an ended one makes room, else the new one is dropped and that is reported once', () => {
  const full: string[] = [];
  const made = new IncidentBook({
    facts: () => ({ agent: 'claude-code', agentName: 'Claude Code', session: 's', title: 'Fix it', file: '/t.jsonl' }),
    id: (found) => incidentId(found.at, 's', found.key),
    isHistory: () => false,
    onChange: () => undefined,
    onFull: (found) => void full.push(found.key),
  });
  for (let number = 2; number < MOST_INCIDENTS + 7; number++)
    made.finding(finding(number, { key: `k${number - 2}`, firstAt: number * 1000 }));
  expect(made.active()).toHaveLength(MOST_INCIDENTS);
  expect(full).toEqual([`k${MOST_INCIDENTS}`]);

  made.clearing(clearing(900, { key: 'k3' }));
  made.finding(finding(901, { key: 'new', firstAt: 901_000, first: source(901) }));
  expect(made.active().map(({ key }) => key)).toContain('new');
  expect(made.all().map(({ key }) => key)).toContain('k3');
});
