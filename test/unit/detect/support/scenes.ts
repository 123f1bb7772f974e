import type { DetectorId } from '../../../../src/core/model';
import type { Act } from './formats';

export const runs = (command: string, output: string, fails = false): Act => ({ does: 'run', command, output, fails });
export const fails = (command: string, output: string): Act => runs(command, output, true);
export const edit = (path: string, from: string, to: string): Act => ({ does: 'edit', path, from, to });
export const say = (text: string): Act => ({ does: 'say', text });
export const prompt = (text: string): Act => ({ does: 'prompt', text });
const times = (count: number, act: (n: number) => Act | readonly Act[]): Act[] =>
  Array.from({ length: count }, (_, n) => act(n)).flat();

/** A run for each detector in which it must report; `seed` makes names and texts that are new each time. */
export const SCENES: Readonly<Record<DetectorId, (seed: string) => readonly Act[]>> = {
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
