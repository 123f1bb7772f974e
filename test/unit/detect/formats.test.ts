import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { DETECTOR_IDS, type DetectorId } from '../../../src/core/model';
import { SCENES, edit, fails, prompt, runs, say } from './support/scenes';
import { run } from './support/run';
import { type Act, FORMATS, decoded } from './support/formats';

/** The acts that a scene needs and a format's records lack. */
const lacking = (acts: readonly Act[], lacks: ReadonlySet<string>): string[] => [
  ...new Set(acts.map(({ does }) => does).filter((does) => lacks.has(does))),
];

const names = fc.stringMatching(/^[a-z]{3,8}$/);

describe.each(FORMATS)('in transcripts of $name', (format) => {
  test.each(DETECTOR_IDS)('%s can report, where its signal is recorded', (id) => {
    if (format.silent?.has(id) || lacking(SCENES[id]('price'), format.lacks).length > 0) return;
    fc.assert(
      fc.property(names, (seed) => {
        const { findings } = run(decoded(format, SCENES[id](seed)));
        expect(findings.map(({ detector }) => detector)).toContain(id);
      }),
      { numRuns: 10, seed: 4242 },
    );
  });

  // one id for every call: llama.cpp did so; per turn `list_dir:0`: Kimi K3
  test.each(DETECTOR_IDS)('%s reports the same where the provider uses the ids of its calls again', (id) => {
    if (format.silent?.has(id) || lacking(SCENES[id]('price'), format.lacks).length > 0) return;
    const reported = (sameId: boolean) =>
      run(decoded(format, SCENES[id]('price'), { sameId })).findings.map(({ detector, level, count }) => [
        detector,
        level,
        count,
      ]);
    expect(reported(true)).toEqual(reported(false));
  });

  test('nothing is reported for a run that makes progress', () => {
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

test('every detector can report in three formats or more, except those whose signal hardly any agent records', () => {
  const formatsOf = (id: DetectorId): number =>
    FORMATS.filter(({ lacks }) => lacking(SCENES[id]('x'), lacks).length === 0).length;
  const few = DETECTOR_IDS.filter((id) => formatsOf(id) < 3);
  // claims and feedback on them are records of the generic format alone; refused requests, of that and Claude Code's
  expect(few).toEqual(['gate_blocked', 'rate_limited']);
});
