import { expect, it } from 'vitest';
import { feedbackIn } from '../../../../src/history/queries/feedback';
import type { StoreEvent } from '../../../../src/history/types';

const DATA = {
  action: 'not_stuck',
  detector: 'consecutive_failures',
  rule: 'same_error',
  call: 'abc',
  subject: 'make',
  count: 4,
  limit: 8,
  message: 'consecutive_failures/same_error: make, quiet below 8',
};

function event(t: number, data: object, more: Partial<StoreEvent> = {}): StoreEvent {
  return {
    id: `E${t}`,
    t,
    type: 'Feedback',
    session: 's',
    agent: 'codex',
    incident: 'I',
    data: { ...DATA, ...data },
    ...more,
  };
}

it("reads people's feedback from the event log, oldest first", () => {
  const found = feedbackIn([event(30, { action: 'taken_back' }), event(10, { folder: '/work', rule: null })]);
  expect(found).toEqual([
    {
      action: 'not_stuck',
      detector: 'consecutive_failures',
      rule: null,
      call: 'abc',
      limit: 8,
      incident: 'I',
      agent: 'codex',
      session: 's',
      folder: '/work',
      subject: 'make',
      count: 4,
      at: 10,
    },
    expect.objectContaining({ action: 'taken_back', rule: 'same_error', at: 30 }),
  ]);
});

it('puts what was withdrawn in the same millisecond last', () => {
  const found = feedbackIn([event(10, { action: 'taken_back' }), event(10, {})]);
  expect(found.map(({ action }) => action)).toEqual(['not_stuck', 'taken_back']);
});

it.each([
  ['of another kind', {}, { type: 'Recovery' }],
  ['without an incident', {}, { incident: undefined }],
  ['of a rule of another version', { detector: 'known_outcomes' }, {}],
  ['of a part that its rule does not have', { rule: 'peers' }, {}],
  ['of a part that is no name', { rule: 7 }, {}],
  ['of a part that every object has', { rule: 'toString' }, {}],
  ['with another action', { action: 'praised' }, {}],
  ['without a call', { call: undefined }, {}],
  ['without a subject', { subject: null }, {}],
  ['without a count', { count: 'four' }, {}],
  ['without a limit', { limit: null }, {}],
  ['that was cut', { action: undefined, cut: true }, {}],
])('skips an entry %s', (_, data, more) => {
  expect(feedbackIn([event(10, data, more as Partial<StoreEvent>)])).toEqual([]);
});
