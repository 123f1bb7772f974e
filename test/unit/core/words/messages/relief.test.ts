import { describe, expect, it } from 'vitest';
import {
  freed,
  incidentDescription,
  leadSentence,
  outcomePill,
  reliefOf,
  reliefSentence,
} from '../../../../../src/core/words';
import { plain } from '../../../../../src/core/words/parts';
import { attemptsOf } from '../../../../../src/core/model';
import { MINUTE, T0, incident } from '../../../history/support/make';
import { attempt } from '../../../recover/kit';
import { freed as panelOfFreed } from '../../../editor/webview/support/panel-fixtures';

const SECOND = 1000;
const nudge = attempt({ automated: false, takenAt: T0 + 3 * MINUTE, outcome: 'changed' });
const saved = incident({
  count: 22,
  firstAt: T0,
  state: 'recovered',
  outcome: 'nudge',
  resolvedAt: T0 + 3 * MINUTE + 5 * SECOND,
  attempts: [nudge],
  progressed: { at: T0 + 3 * MINUTE + 12 * SECOND, text: 'pytest -q passed' },
  tokensSinceFirst: 41_200,
});
const said = (changes: Partial<typeof saved>) => {
  const relief = reliefOf({ ...saved, ...changes });
  return relief && plain(reliefSentence(relief));
};

describe('the relief', () => {
  it('says what freed the agent, what the loop had cost, and how soon the agent continued', () => {
    expect(said({})).toBe(
      'Freed by your nudge: 22 repeats, 3 min; pytest -q passed 12 s later. The loop used 41k tokens, including cached ones.',
    );
    expect(said({ attempts: [{ ...nudge, automated: true }], outcome: 'restart' })).toMatch(
      /^Freed by an automatic restart: 22 repeats/,
    );
  });

  it('shows the command that passed as code, but not the word “passed”', () => {
    const relief = reliefOf(saved);
    expect(relief && reliefSentence(relief).filter((part) => 'code' in part)).toEqual([
      { text: 'pytest -q', code: true },
    ]);
  });

  it('counts no repeats of a rule that counts minutes', () => {
    expect(said({ detector: 'stall', count: 0, outcome: 'restart' })).toBe(
      'Freed by your restart after 3 min; pytest -q passed 12 s later. Meanwhile it used 41k tokens, including cached ones.',
    );
  });

  it('says nothing about tokens if the agent records none', () => {
    const { tokensSinceFirst: _, ...without } = saved;
    const relief = reliefOf(without);
    expect(relief && plain(reliefSentence(relief))).toMatch(/12 s later\.$/);
  });

  it('is null if nothing that was sent freed it, or nothing shows that it is free', () => {
    expect(said({ outcome: 'by_itself', attempts: [] })).toBeNull();
    expect(said({ outcome: 'user' })).toBeNull();
    expect(said({ state: 'unknown' })).toBeNull();
    const { takenAt: _, ...withdrawn } = attempt({ state: 'withdrawn' });
    expect(said({ attempts: [withdrawn] })).toBeNull();
  });

  it('is reported once, by title', () => {
    const relief = reliefOf(saved);
    expect(relief && freed('Fix the tests', relief)).toMatchObject({
      level: 'information',
      text: expect.stringMatching(/^“Fix the tests” is working again\. Freed by your nudge: /),
    });
  });
});

describe('the panel of an agent that was freed', () => {
  it('says so first, and then what the agent does now', () => {
    const { lead, now } = panelOfFreed();
    expect(lead.kind).toBe('freed');
    expect(plain(leadSentence(lead, now))).toMatch(/^Freed by your nudge: 22 repeats.* Making progress\./);
  });
});

describe('an incident in the history', () => {
  it('was freed by what was sent, and recovered on its own if nothing was', () => {
    const facts = { ...saved, attempts: attemptsOf(saved) };
    expect(incidentDescription(facts, T0)).toBe('freed by nudge, 3 min');
    expect(outcomePill(facts)).toBe('Freed by nudge');
    expect(incidentDescription({ ...facts, outcome: 'by_itself' }, T0)).toBe('recovered on its own, 3 min');
    expect(outcomePill({ ...facts, outcome: 'by_itself' })).toBe('Recovered on its own');
  });

  it('counts no message that was withdrawn, expired or failed', () => {
    const states = ['queued', 'taken', 'seen', 'acted', 'withdrawn', 'expired', 'failed'] as const;
    expect(attemptsOf({ attempts: states.map((state) => attempt({ state })) })).toBe(4);
  });
});
