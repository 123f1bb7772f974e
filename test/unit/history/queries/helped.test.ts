import { describe, expect, it } from 'vitest';
import { helpedBefore, similarity } from '../../../../src/history/queries/recall';
import type { Incident } from '../../../../src/core/model';
import { learningOf } from '../../../../src/history/queries/learning';
import type { Learning } from '../../../../src/history/types';
import { T0, attempt, incident, recovered } from '../support/make';

const subjects = (helped: ReturnType<typeof helpedBefore>) => helped.similar.map(({ title }) => title);
const [first, between] = incident().evidence;
if (!first || !between) throw new Error('an incident has evidence');

describe('what helped before', () => {
  it('checks the most similar first, the newest of equally similar ones, and at most twenty', () => {
    const like = recovered({ title: 'like', subject: 'pytest -q tests/test_calc.py', openedAt: T0 + 99 });
    const old = recovered({ title: 'old', openedAt: T0 });
    const young = recovered({ title: 'young', openedAt: T0 + 5 });
    expect(subjects(helpedBefore(incident(), [old, like, young]))).toEqual(['young', 'old', 'like']);
    const many = Array.from({ length: 25 }, (_, i) => recovered({ title: String(i), openedAt: T0 + i }));
    const helped = helpedBefore(incident(), many);
    expect(subjects(helped)).toEqual(
      many
        .slice(5)
        .reverse()
        .map(({ title }) => title),
    );
    expect(helped.tried).toEqual([{ kind: 'nudge', recovered: { n: 20, of: 20 } }]);
  });

  it('does not include the incident itself, which has come back', () => {
    const back = recovered({ reopened: 1 });
    expect(subjects(helpedBefore(back, [back]))).toEqual([]);
  });

  it('keeps the parts of one rule apart', () => {
    const one = incident({ detector: 'consecutive_failures', rule: 'same_error' });
    expect(similarity(one, { ...one, rule: 'peers' })).toBe(0);
  });

  it('compares the last step, and not an edit in between', () => {
    const other = { ...first, text: 'segmentation fault' };
    const one = incident({ subject: '', evidence: [other, first] });
    expect(similarity(one, incident({ subject: '', evidence: [first] }))).toBeCloseTo(1);
    expect(similarity(one, incident({ subject: '', evidence: [first, between] }))).toBeCloseTo(1);
    expect(similarity(one, incident({ subject: '', evidence: [first, other] }))).toBeCloseTo(0.65);
  });

  it('finds nothing in common in two results without information', () => {
    const empty = incident({ evidence: [] });
    expect(similarity(empty, incident({ evidence: [] }))).toBeCloseTo(0.65);
    expect(similarity(empty, incident())).toBeCloseTo(0.65);
    const dots = incident({ subject: '...', evidence: [] });
    expect(similarity(dots, { ...dots })).toBeCloseTo(0.65);
  });

  it('puts first what helped more often, and of two that always did what was tried more', () => {
    const of = (kind: 'nudge' | 'restart' | 'block', state: 'recovered' | 'ended') =>
      recovered({ state, outcome: null, attempts: [attempt({ kind, takenAt: T0 })] });
    const helped = helpedBefore(incident(), [
      of('nudge', 'recovered'),
      of('restart', 'recovered'),
      of('restart', 'recovered'),
      of('block', 'recovered'),
      of('block', 'recovered'),
      of('block', 'recovered'),
      of('block', 'ended'),
    ]);
    expect(helped.tried.map(({ kind, recovered: { n, of: all } }) => `${kind} ${n}/${all}`)).toEqual([
      'restart 2/2',
      'nudge 1/1',
      'block 3/4',
    ]);
  });

  it.each(['withdrawn', 'expired', 'failed'] as const)('does not count a message that was %s', (state) => {
    const attempts = [attempt({ state }), attempt({ kind: 'restart', takenAt: T0 }), attempt({ state })];
    expect(helpedBefore(incident(), [recovered({ attempts })]).tried).toEqual([
      { kind: 'restart', recovered: { n: 1, of: 1 } },
    ]);
  });
});

describe('the note with an incident', () => {
  const learning = (one: Incident, changes: Partial<Learning>): Learning => {
    const worked = learningOf(one);
    if (!worked) throw new Error('a learning comes of what recovered');
    return { ...worked, ...changes };
  };
  const a = recovered({ title: 'a', openedAt: T0 + 9 });
  const b = recovered({ title: 'b', openedAt: T0 });
  const noted = (learnings: readonly Learning[], of: readonly Incident[] = [a, b]) =>
    helpedBefore(incident(), of, (id) => learnings.find((one) => one.id === id) ?? null).noted;

  it('is what a person pinned, before what a person wrote later', () => {
    const written = learning(a, { content: 'written', editedAt: T0 });
    const pinned = learning(b, { content: 'pinned', pinned: true });
    expect(noted([written, pinned])).toBe('pinned');
    expect(noted([written, { ...pinned, pinned: false }])).toBe('written');
  });

  it('is empty if nothing was written and the continuation is unknown', () => {
    expect(noted([learning(a, {}), learning(b, {})])).toBe('');
    expect(noted([])).toBe('');
  });

  it('is the cause of the very incident that recovered and continued, with its continuation', () => {
    const progressed = { at: T0, text: 'pytest -q passed' };
    const went = recovered({ title: 'went', progressed, openedAt: T0 });
    expect(noted([learning(a, { cause: 'another.' }), learning(went, { cause: 'This one.' })], [a, went])).toBe(
      'This one.\nIt continued with: pytest -q passed',
    );
    expect(noted([learning(a, { cause: 'another.' })], [a, went])).toBe('');
    expect(noted([learning(a, {}), { ...learning(went, {}), cause: undefined as never }], [a, went])).toBe('');
    const ended = { ...went, state: 'ended' as const };
    expect(noted([learning(went, { cause: 'This one.' })], [ended])).toBe('');
  });
});

it('a note is not taken from another kind of incident, nor from one that continues', () => {
  expect(subjects(helpedBefore(incident(), [recovered({ detector: 'cycle' }), incident()]))).toEqual([]);
});
