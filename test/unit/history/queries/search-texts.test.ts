import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { incidentTexts, learningTexts } from '../../../../src/history/queries/search-texts';
import { learningOf } from '../../../../src/history/queries/learning';
import { searchWords } from '../../../../src/history/queries/words';
import { incident, recovered } from '../support/make';

const isFound = (one: Incident, query: string) => {
  const words = new Set(incidentTexts(one).flatMap((text) => searchWords(text)));
  return searchWords(query).every((word) => words.has(word));
};
/** Over, and freed by nothing known. */
const over = (changes: Partial<Incident>) => recovered({ state: 'unknown', outcome: null, cleared: null, ...changes });

describe("an incident is found by people's names for its ending", () => {
  const ENDINGS: readonly (readonly [query: string, one: Incident])[] = [
    ['open', incident()],
    ['active', incident()],
    ['freed by nudge', recovered()],
    ['recovered restart', recovered({ outcome: 'restart' })],
    ['refused call', recovered({ outcome: 'block' })],
    ['blocked', recovered({ outcome: 'block' })],
    ['freed by gate feedback', recovered({ outcome: 'gate' })],
    ['on its own', recovered({ outcome: 'by_itself' })],
    ['recovered by you', recovered({ outcome: 'user' })],
    ['false alarm', over({ outcome: 'not_stuck' })],
    ['ended while stuck', over({ state: 'ended' })],
    ['session ended', over({ state: 'ended', level: 'warn' })],
    ['stopped repeating', over({ cleared: 'new_text' })],
    ['rule off', over({ cleared: 'off' })],
    ['muted', recovered({ state: 'muted' })],
    ['unknown', over({})],
  ];
  const plain = { title: '', subject: '', why: '', evidence: [] };

  it.each(ENDINGS)('“%s”', (query, one) => {
    expect(isFound({ ...one, ...plain }, query)).toBe(true);
  });
});

describe('an incident is found by', () => {
  it.each([
    ['the level of its alert', 'stuck', {}],
    ['the level of its warning', 'warning', { level: 'warn' }],
    ['the name of its rule', 'repeating action', {}],
    ['the part of its rule', 'no effect', { rule: 'no_effect' }],
    ['its agent', 'claude code', {}],
    ['its model', 'sonnet', {}],
    ['its role', 'reviewer', { role: 'reviewer' }],
    ['its folder', 'calc', {}],
    ['its session', 'session-1', {}],
    ['its transcript', 'jsonl', {}],
    ['its call', 'pytest', {}],
    ['its title', 'calculator', {}],
    ['its explanation', 'same result', {}],
    ['what its steps said', 'test_add', {}],
  ] as const)('%s', (_, query, changes) => {
    expect(isFound(incident(changes as Partial<Incident>), query)).toBe(true);
  });

  it('the first and the last three of many steps, and not by those in the middle', () => {
    const [step] = incident().evidence;
    if (!step) throw new Error('an incident has evidence');
    const named = (count: number) =>
      incident({ evidence: Array.from({ length: count }, (_, n) => ({ ...step, text: `sign${n}n` })) });
    const found = (one: Incident) => one.evidence.filter(({ text }) => isFound(one, text)).map(({ text }) => text);
    expect(found(named(6))).toHaveLength(6);
    expect(found(named(7))).toEqual(['sign0n', 'sign1n', 'sign2n', 'sign4n', 'sign5n', 'sign6n']);
  });

  it('each text of its steps once, however often it occurred', () => {
    expect(incidentTexts(incident())[4].match(/1 failed, 3 passed/g)).toHaveLength(1);
  });

  it('its words even if another version named a rule that this one does not have', () => {
    const unknown = incident({ detector: 'later_rule' as Incident['detector'] });
    expect(isFound(unknown, 'later rule')).toBe(true);
    expect(incidentTexts(unknown)[0]).toBe('stuck later_rule   repetition_loop');
  });

  it('nothing that it does not have', () => {
    const { model: _model, folder: _folder, ...rest } = incident();
    const texts = incidentTexts(rest).join('\n');
    expect(texts).not.toMatch(/undefined|null/);
    expect(texts.split('\n')).not.toContain('');
  });
});

it('a learning is found as one, by its tags, its task, its agent and its cause', () => {
  const learning = learningOf(recovered());
  if (!learning) throw new Error('a learning comes of what recovered');
  const words = new Set(learningTexts(learning).flatMap((text) => searchWords(text)));
  for (const word of searchWords('learning testing calculator claude test_add nudge'))
    expect(words, word).toContain(word);
  const { cause: _cause, ...without } = learning;
  expect(learningTexts(without).join('\n')).not.toContain('undefined');
});
