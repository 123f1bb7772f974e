import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { DETECTOR_IDS, type DetectorId } from '../../../src/model';
import { run } from './support/run';
import { type Act, FORMATS, decoded } from './support/formats';

const runs = (command: string, output: string, fails = false): Act => ({ does: 'run', command, output, fails });
const fails = (command: string, output: string): Act => runs(command, output, true);
const edit = (path: string, from: string, to: string): Act => ({ does: 'edit', path, from, to });
const say = (text: string): Act => ({ does: 'say', text });
const prompt = (text: string): Act => ({ does: 'prompt', text });
const times = (count: number, act: (n: number) => Act | readonly Act[]): Act[] =>
  Array.from({ length: count }, (_, n) => act(n)).flat();

/** A run for each detector in which it has to speak; `seed` makes names and texts that are new each time. */
const SCENES: Readonly<Record<DetectorId, (seed: string) => readonly Act[]>> = {
  repeating_action: (seed) => times(4, () => fails(`make ${seed}`, `no rule for ${seed}`)),
  repeating_outcome: (seed) =>
    times(4, (n) => [edit(`src/${seed}.ts`, `a${n}`, `a${n + 1}`), fails('pytest -q', `assert ${seed} failed`)]),
  action_error_alternation: (seed) =>
    times(3, () => [runs(`prepare ${seed}`, 'ready'), fails(`start ${seed}`, 'port is taken')]),
  cycle: (seed) =>
    times(4, () => ['one', 'two', 'three'].map((word) => runs(`show ${word} ${seed}`, `${word} of ${seed}`))),
  monologue: (seed) => times(5, (n) => [...(n > 0 ? [prompt('continue')] : []), say(`I will look at ${seed} now.`)]),
  text_loop: (seed) => [prompt('go on'), say(`I should look at ${seed} once more. `.repeat(10))],
  condensation_loop: (seed) => [
    fails(`make ${seed}`, 'no rule'),
    { does: 'compact' },
    fails(`make ${seed}`, 'no rule'),
    fails(`make ${seed}`, 'no rule'),
  ],
  token_exhaustion: (seed) => [
    ...times(12, () => [runs(`cat ${seed}`, 'the same text'), { does: 'wait', seconds: 70 }] as Act[]),
    { does: 'use', tokens: 165_000 },
  ],
  stall: (seed) => [
    prompt(`look at ${seed}`),
    say('Let me see.'),
    prompt(`and at ${seed} two`),
    { does: 'wait', seconds: 4000 },
    say('Here.'),
  ],
  max_runtime: (seed) => [
    prompt('work'),
    ...times(70, (n) => [runs(`cat ${seed}${n}`, `text ${n}`), { does: 'wait', seconds: 240 }] as Act[]),
  ],
  consecutive_failures: (seed) =>
    ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((word) =>
      fails(`python ${word}_${seed}.py`, `error: no access to ${seed}`),
    ),
  validation_failure: (seed) => times(3, (n) => ({ does: 'unknown tool', name: `${seed}_tool_${n}` })),
  oversized_response: (seed) => [runs(`cat ${seed}.log`, `${seed} line of a long log\n`.repeat(20_000))],
  gate_blocked: (seed) =>
    times(
      3,
      (n) =>
        [
          edit(`src/${seed}.ts`, `a${n}`, `a${n + 1}`),
          { does: 'claim' },
          { does: 'feedback', text: 'Completion Blocked: tests failed' },
        ] as Act[],
    ),
  premature_action: (seed) => [prompt('fix it'), edit(`src/${seed}.ts`, 'one', 'two')],
  over_helpfulness: (seed) => [
    prompt('sum up the prices'),
    fails(`cat data/${seed}.csv`, `cat: data/${seed}.csv: No such file or directory`),
    { does: 'write', path: `data/${seed}.csv`, text: 'apple,1\npear,2' },
  ],
  context_pollution: (seed) => [prompt(`Already tried: \`make ${seed}\`.`), fails(`make ${seed}`, 'no rule')],
  rate_limited: () => [prompt('go on'), ...times(3, (): Act => ({ does: 'refused' }))],
};

/** What a format's records lack that a scene needs. */
const lacking = (acts: readonly Act[], lacks: ReadonlySet<string>): string[] => [
  ...new Set(acts.map(({ does }) => does).filter((does) => lacks.has(does))),
];

const names = fc.stringMatching(/^[a-z]{3,8}$/);

describe.each(FORMATS)('in transcripts of $name', (format) => {
  test.each(DETECTOR_IDS)('%s can speak, where its signal is recorded', (id) => {
    if (format.silent?.has(id) || lacking(SCENES[id]('price'), format.lacks).length > 0) return;
    fc.assert(
      fc.property(names, (seed) => {
        const { findings } = run(decoded(format, SCENES[id](seed)));
        expect(findings.map(({ detector }) => detector)).toContain(id);
      }),
      { numRuns: 10, seed: 4242 },
    );
  });

  test('nothing is said of a run that gets on', () => {
    const step = fc.constantFrom<(n: number) => Act[]>(
      (n) => [runs(`cat file${n}.ts`, `content ${n}`)],
      (n) => [runs(`cat src${n}.ts`, 'a'), edit(`src${n}.ts`, 'a', `b${n}`), runs('npm test', `${n} passed`)],
      (n) => [fails(`npm run check${n}`, `${n} problems`), runs(`npm run check${n}`, 'no problems')],
      (n) => [say(`Now number ${n}.`), runs(`wc -l a${n}`, `${n * 7} a${n}`)],
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 40 }), (steps) => {
        const acts = [prompt('do it'), ...steps.flatMap((one, n) => one(n))].filter(
          ({ does }) => !format.lacks.has(does),
        );
        expect(run(decoded(format, acts)).findings.map(({ detector }) => detector)).toEqual([]);
      }),
      { numRuns: 40, seed: 4242 },
    );
  });
});

test('every detector can speak in three formats or more, but those whose signal hardly any agent records', () => {
  const formatsOf = (id: DetectorId): number =>
    FORMATS.filter(({ lacks }) => lacking(SCENES[id]('x'), lacks).length === 0).length;
  const few = DETECTOR_IDS.filter((id) => formatsOf(id) < 3);
  // claims and feedback on them are records of the generic format alone; refused requests, of it and Claude Code's
  expect(few).toEqual(['gate_blocked', 'rate_limited']);
});
