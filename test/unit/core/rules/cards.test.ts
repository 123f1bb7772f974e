import { describe, expect, it } from 'vitest';
import { CARDS } from '../../../../src/core/rules';
import type { RuleCard, RuleWords } from '../../../../src/core/rules/card';

/** Every placeholder that some text of the program fills. */
const KNOWN = new Set(
  'You you call count edits file gate given moved name outcomes pattern period short size span time tools turns unchanged within'.split(
    ' ',
  ),
);

function wordsOf(card: RuleCard): Partial<RuleWords>[] {
  return [
    card.words,
    ...Object.values(card.rules ?? {}).map(({ words }) => words),
    ...(card.wordsForSubject ? [card.wordsForSubject.words] : []),
  ];
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

describe.each(CARDS.map((card) => [card.id, card] as const))('the card of %s', (_id, card) => {
  it('has a notification exactly where it may notify', () => {
    expect(card.words.toast !== undefined).toBe(card.notifies !== 'never');
  });

  it('uses only placeholders that the program fills', () => {
    for (const text of texts(wordsOf(card))) {
      for (const [, name = ''] of text.matchAll(/\{(\w+)/g)) expect(KNOWN, text).toContain(name);
      expect(text.replace(/\{\w+(:[^{}]*)?\}/g, ''), text).not.toMatch(/[{}]/);
    }
  });

  it('begins each line of a message with a capital or a number', () => {
    for (const text of texts(wordsOf(card).map(({ nudge }) => nudge))) expect(text).toMatch(/^(?:[A-Z]|\{(?!you\}))/);
  });

  it('warns before it reports stuck, and eager before patient, for each shape of a streak', () => {
    const shapes = [...Object.values(card.shapes ?? {}), ...Object.values(card.rules ?? {}).map(({ shape }) => shape)];
    for (const { eager, balanced, patient } of [card.thresholds, ...shapes.flatMap((one) => one?.limits ?? [])]) {
      for (const { warn, stuck } of [eager, balanced, patient]) expect(warn).toBeLessThanOrEqual(stuck);
      expect(eager.warn).toBeLessThanOrEqual(balanced.warn);
      expect(balanced.warn).toBeLessThanOrEqual(patient.warn);
      expect(eager.stuck).toBeLessThanOrEqual(balanced.stuck);
      expect(balanced.stuck).toBeLessThanOrEqual(patient.stuck);
    }
  });
});

describe('the rules of the action family', () => {
  const streaks = CARDS.flatMap((card) =>
    [card.streak, ...Object.values(card.rules ?? {}).map(({ streak }) => streak)].flatMap((streak) =>
      streak ? [{ name: card.id, ...streak }] : [],
    ),
  );

  it('have unique ranks, in the order that docs/detectors.md names', () => {
    const ranks = streaks.map(({ rank }) => rank);
    expect(new Set(ranks).size).toBe(ranks.length);
    expect([...streaks].sort((a, b) => a.rank - b.rank).map(({ name }) => name)).toEqual([
      'repeating_action',
      'cycle',
      'action_error_alternation', // as named by cycle
      'consecutive_failures', // refused_edits
      'consecutive_failures',
      'consecutive_failures', // same_error
      'repeating_outcome',
      'cycle', // returns
      'repeating_outcome', // few_distinct
      'repeating_outcome', // no_effect
      'repeating_outcome', // dead_start
      'repeating_outcome', // unread_rewrites
      'repeating_outcome', // no_better
      'repeating_outcome', // still_board
    ]);
  });
});
