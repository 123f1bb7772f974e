import { describe, expect, it } from 'vitest';
import type { MessageKind, RungKind } from '../../../src/core/model';
import { nextModel, readModelTiers, topModel } from '../../../src/recover/decisions/models';
import { DEFAULT_LADDER, readLadder, rungKindOf, rungOf } from '../../../src/recover/ladder';
import { attempt } from './kit';

const rungs = (value: unknown) => readLadder(value).map(({ kind, name, tries }) => `${kind}: ${name}, ${tries}`);
const feedback = (rung: object) => rungs([{ do: 'feedback', ...rung }])[1];

describe('a rung of the setting', () => {
  it('has its own name and number of tries if these can be used', () => {
    expect(feedback({})).toBe('feedback: Nudge, 2');
    expect(feedback({ name: ' Tell it ', tries: 3 })).toBe('feedback: Tell it, 3');
    for (const name of ['', '  ', 7, null]) expect(feedback({ name })).toBe('feedback: Nudge, 2');
    expect(feedback({ name: 'x'.repeat(70) })).toBe(`feedback: ${'x'.repeat(60)}, 2`);
    for (const tries of [0, -1, 1.5, '3', Number.NaN, null]) expect(feedback({ tries })).toBe('feedback: Nudge, 2');
    expect(feedback({ tries: 1 })).toBe('feedback: Nudge, 1');
    expect(feedback({ tries: 6 })).toBe('feedback: Nudge, 5');
  });

  it('keeps its place between feedback and the person, once', () => {
    const value = [
      'top_model',
      'ask',
      { do: 'fresh', tries: 2 },
      'as_is',
      'top_model',
      { do: 'nonsense' },
      {},
      7,
      null,
    ];
    expect(rungs(value)).toEqual([
      'as_is: As it is, 1',
      'feedback: Nudge, 2',
      'top_model: Top model, 1',
      'fresh: Fresh context, 2',
      'ask: Ask you, 1',
    ]);
    expect(rungs(['as_is', { do: 'as_is', name: 'x' }])[0]).toBe('as_is: As it is, 1');
    expect(rungs([{ do: 'as_is', name: 'x' }])[0]).toBe('as_is: x, 1');
    expect(rungs([{ do: 'ask', name: 'Me' }]).at(-1)).toBe('ask: Me, 1');
    expect(rungs(['next_model'])[2]).toBe('next_model: Next model, 1');
  });

  it('gives way to the default ladder if nothing in the setting can be used', () => {
    for (const value of [undefined, null, 'feedback', {}, [], ['x'], [7], [{ do: 7 }]])
      expect(readLadder(value)).toBe(DEFAULT_LADDER);
  });
});

describe('the rung of an attempt', () => {
  it.each<[MessageKind, RungKind]>([
    ['nudge', 'feedback'],
    ['gate', 'feedback'],
    ['checkpoint', 'feedback'],
    ['block', 'feedback'],
    ['stop', 'feedback'],
    ['restart', 'fresh'],
    ['escalate', 'next_model'],
    ['reassign', 'next_model'],
  ])('by a %s is %s, if it names none', (kind, rung) => {
    const { rung: _, ...unnamed } = attempt({ kind });
    expect(rungKindOf(unnamed)).toBe(rung);
    expect(rungKindOf({ ...unnamed, rung: 'top_model' })).toBe('top_model');
  });

  it('is found in the ladder by the first matching kind', () => {
    expect(rungOf(DEFAULT_LADDER, 'fresh', 'top_model', 'ask')?.kind).toBe('top_model');
    expect(rungOf(DEFAULT_LADDER, 'fresh')).toBeUndefined();
    expect(rungOf(DEFAULT_LADDER)).toBeUndefined();
  });
});

describe('the models of the setting', () => {
  it('are the names that a command line accepts, ten at most', () => {
    const names = [
      'gpt',
      '-x',
      '',
      'a b',
      'a;b',
      'a/b:c@d[1]+e-f_g.h',
      'x'.repeat(128),
      'x'.repeat(129),
      7,
      null,
      'a\nb',
    ];
    expect(readModelTiers({ codex: names }).codex).toEqual(['gpt', 'a/b:c@d[1]+e-f_g.h', 'x'.repeat(128)]);
    expect(readModelTiers({ codex: Array.from({ length: 12 }, (_, n) => `m${n}`) }).codex).toHaveLength(10);
    expect(readModelTiers({ codex: 'gpt', nobody: ['x'] })).toEqual({ 'claude-code': ['haiku', 'sonnet', 'opus'] });
    for (const value of [undefined, null, 'x', 7]) expect(Object.keys(readModelTiers(value))).toEqual(['claude-code']);
    expect(readModelTiers({ 'claude-code': [] })['claude-code']).toEqual([]);
  });

  it.each([
    [['a', 'b', 'c'], 'a', 'b'],
    [['a', 'b', 'c'], 'c', undefined],
    [['a', 'b', 'c'], undefined, 'c'],
    [['a', 'b', 'c'], 'unknown', 'c'],
    [[], 'a', undefined],
    [['mini', 'gpt'], 'gpt-mini', 'gpt'],
    [['gpt', 'mini', 'max'], 'GPT-Mini-2', 'max'],
    [['haiku', 'SONNET', 'opus'], 'claude-sonnet-4', 'opus'],
    [['son', 'opus'], 'claude-sonnet', 'opus'],
    [['vendor/small', 'big'], 'router/vendor/small', 'big'],
    [['4.5', '5'], 'model-4.5', '5'],
    [['ab', 'cd', 'top'], 'x-ab-cd', 'cd'],
  ])('of %j, above %s is %s', (tiers, model, next) => {
    expect(nextModel(tiers, model)).toBe(next);
    expect(topModel(tiers)).toBe(tiers.at(-1));
  });
});
