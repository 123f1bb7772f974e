import { expect, it } from 'vitest';
import {
  type FixtureFailure,
  fixtureFailureWords,
  fixtureWords,
} from '../../../../../src/core/words/incidents/fixture';

const raised = [
  { detector: 'cycle', level: 'stuck' },
  { detector: 'cycle', level: 'stuck' },
  { detector: 'stall', level: 'warn' },
] as const;

it.each<[FixtureFailure, string]>([
  [{ reason: 'several_sessions' }, 'its rule compares several sessions, and a fixture holds one.'],
  [{ reason: 'gates' }, 'it depends on quality-gate verdicts, which are not in the transcript.'],
  [
    { reason: 'transcript_gone', raised: [] },
    'its transcript is gone, and scanning what the history keeps of it raises nothing.',
  ],
  [
    { reason: 'differs', raised },
    "scanning its steps as a generic transcript raises Going round in a cycle (stuck), No output (warn) instead. It may depend on your own thresholds, or on details that only the agent's own transcript has.",
  ],
])('says why an incident cannot be reproduced: %j', (failure, why) => {
  expect(fixtureFailureWords(failure)).toBe(`The incident could not be reproduced: ${why}`);
});

it('says what a fixture raises, how, and what it is made of', () => {
  const cycle = { detector: 'cycle', rule: null, level: 'stuck' } as const;
  const read = 'Secrets are redacted and paths are neutral. Read it before you share it.';
  expect(fixtureWords(cycle, { preset: 'balanced', from: 'transcript' })).toBe(
    `Scanning the fixture raises Going round in a cycle (stuck) again. ${read}`,
  );
  expect(fixtureWords(cycle, { preset: 'strict' as never, from: 'kept' })).toBe(
    `Scanning the fixture with \`--preset strict\` raises Going round in a cycle (stuck) again. It was made from the history, because the transcript is gone. ${read}`,
  );
});
