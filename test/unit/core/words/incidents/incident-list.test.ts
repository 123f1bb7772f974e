import { describe, expect, it } from 'vitest';
import {
  CHIP_KINDS,
  LEVEL_NAMES,
  PERIODS,
  incidentRowDescription,
  incidentRowLabel,
  narrowedMessage,
} from '../../../../../src/core/words/incidents/incident-list';
import { endingName } from '../../../../../src/core/words/incidents/description';
import { ENDINGS, type Incident } from '../../../../../src/core/model';
import { MINUTE, T0, incident as made, recovered as freed } from '../../../history/support/incidents';

const incident = (changes: Partial<Incident> = {}) => ({ ...made(changes), attempts: 0 });
const recovered = (changes: Partial<Incident> = {}) => ({ ...freed(changes), attempts: 1 });
const NOW = T0 + 20 * MINUTE;

describe('a row of the list', () => {
  it('is called by its task, otherwise by its call or its rule', () => {
    expect(incidentRowLabel(incident({ title: ' Fix it ' }))).toBe('Fix it');
    expect(incidentRowLabel(incident({ title: ' ', subject: 'pytest -q' }))).toBe('pytest -q');
    expect(incidentRowLabel(incident({ title: '', subject: '', detector: 'stall' }))).toBe('No output');
  });

  it('says what repeats and how often, how long ago, and how it ended', () => {
    expect(incidentRowDescription(recovered({ count: 1_024 }), NOW)).toMatch(
      /^pytest -q ×1,024 · .+ · freed by nudge$/,
    );
    expect(incidentRowDescription(incident(), NOW)).toMatch(/^pytest -q ×4 · [^·]+$/);
    const silent = incident({ detector: 'stall', subject: 'make', count: 12 });
    expect(incidentRowDescription(silent, NOW)).toMatch(/^make · /);
    expect(incidentRowDescription(incident({ subject: '', detector: 'stall' }), NOW)).toMatch(/^No output · /);
    const long = incident({ subject: 'a very long command line with many words' });
    expect(incidentRowDescription(long, NOW).split(' ×')[0]?.length).toBeLessThanOrEqual(24);
  });
});

describe('the filter of the list', () => {
  it('names what it is narrowed by', () => {
    expect(Object.values(CHIP_KINDS)).toEqual(['Severity', 'Outcome', 'Rule', 'Agent', 'Folder', 'When']);
    expect(Object.values(LEVEL_NAMES)).toEqual(['Stuck', 'Warning']);
    expect(Object.values(PERIODS)).toEqual(['Last 24 hours', 'Last 7 days', 'Last 30 days']);
  });

  it('names each ending, and shows one of another version as it is written', () => {
    const names = Object.fromEntries(['open', ...ENDINGS].map((ending) => [ending, endingName(ending)]));
    expect(names).toEqual({
      open: 'Open',
      nudge: 'Freed by nudge',
      restart: 'Freed by restart',
      block: 'Freed by blocking the call',
      gate: 'Freed by gate feedback',
      by_itself: 'Recovered on its own',
      user: 'You took over',
      not_stuck: 'Not stuck',
      stuck: 'Ended while stuck',
      session: 'Session ended',
      went_on: 'Stopped repeating',
      rule_off: 'Rule off',
      muted: 'Muted',
      unknown: 'Unknown',
    });
    expect(endingName('later')).toBe('later');
  });

  it('says how many there are', () => {
    const says = (found: number, isCut = false, search = 'pytest', chips: readonly string[] = ['Stuck', 'Codex']) =>
      narrowedMessage({ search, chips, found, isCut });
    expect(says(0)).toBe('Nothing found for “pytest” · Stuck · Codex.');
    expect(says(3)).toBe('3 for “pytest” · Stuck · Codex');
    expect(says(200, true)).toBe('The first 200 for “pytest” · Stuck · Codex');
    expect(says(3, false, '')).toBe('3 for Stuck · Codex');
    expect(says(3, false, 'x', [])).toBe('3 for “x”');
  });
});
