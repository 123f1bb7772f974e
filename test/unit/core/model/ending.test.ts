import { expect, it } from 'vitest';
import { type Incident, endingOf } from '../../../../src/core/model';

type End = Pick<Incident, 'state' | 'outcome' | 'cleared' | 'level'>;
const end = (fields: Partial<End>): End => ({
  state: 'unknown',
  outcome: null,
  cleared: null,
  level: 'stuck',
  ...fields,
});

it('is unknown only if nothing is known', () => {
  expect(endingOf(end({}))).toBe('unknown');
  expect(endingOf(end({ outcome: 'by_itself' }))).toBe('by_itself');
  expect(endingOf(end({ cleared: 'not_back', outcome: 'by_itself' }))).toBe('went_on');
  expect(endingOf(end({ cleared: 'user_message' }))).toBe('user');
});

it('for a session that ended while its agent was stuck, says so, however the rule was cleared', () => {
  expect(endingOf(end({ state: 'ended', cleared: 'session_end' }))).toBe('stuck');
  expect(endingOf(end({ cleared: 'session_end' }))).toBe('stuck');
  expect(endingOf(end({ cleared: 'session_end', level: 'warn' }))).toBe('session');
});
