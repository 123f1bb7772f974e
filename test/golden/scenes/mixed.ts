import { resolveOptions } from '../../../src/detect/session/options';
import { type Scenes, STEPS, raised } from './scene';

/** Steps that come back often, and what a person or a harness says between them. */
const SIGNS = [
  'R a | R b | E a | E b =x | B make fail:no_rule | B make fail:other_error | B make ok:built | B ls ok:a | R c%n | E c%n',
  'B "pytest -q" fail:1_failed | B "pytest -q" ok:3_passed | B "pytest -q" fail:"2 failed %t" | G word ok:here | P | I make',
  'W still | M tool {"a":1} fail:"error: it broke" | M tool {"a":2} fail:"error: it broke" | M press ok:same | X part',
  'B "run %n" fail:"error: it broke" | B "run %n" fail:"error: new %n" | N | A so | V | U on',
  '[ · R a · R a · ] | [ · B make fail:no_rule · B make fail:no_rule · ]',
].flatMap((line) => line.split(' | '));
/** A run of short patterns that come a few times each: the same for the same seed, and unlike anything a person would write. */
function shuffled(seed: number): string {
  let state = seed;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % most;
  };
  const sign = (): string => SIGNS[below(SIGNS.length)] ?? '';
  return Array.from({ length: 24 }, () => {
    const pattern = Array.from({ length: 1 + below(4) }, sign).join(' · ');
    return Array.from({ length: 1 + below(7) }, () => (below(5) === 0 ? `${pattern} · ${sign()}` : pattern)).join(
      ' · ',
    );
  }).join(' · ');
}

export const mixed: Scenes = {
  detectors: STEPS,
  scenes: {
    ...Object.fromEntries(
      Array.from({ length: 7 }, (_, n) => [`without an order, ${n + 1}`, { brief: true, run: shuffled(n + 1) }]),
    ),
    'without an order, while rules are switched off and on': {
      brief: true,
      at: {
        40: (session) =>
          session.setOptions(
            resolveOptions({ preset: 'balanced', detectors: { repeating_action: 'off', cycle: 'off' } }),
          ),
        140: (session) => session.setOptions(resolveOptions({ preset: 'eager', detectors: {} })),
        200: (session) =>
          session.setOptions(resolveOptions({ preset: 'balanced', detectors: { repeating_outcome: 'off' } })),
        260: (session) =>
          session.setOptions(resolveOptions({ preset: 'patient', detectors: { consecutive_failures: 'off' } })),
      },
      run: shuffled(77),
    },
    'without an order, where a person raised limits': {
      brief: true,
      at: {
        1: (session) =>
          session.setRaised([raised('make', 5), { ...raised('pytest -q', 6), detector: 'repeating_outcome' }]),
        160: (session) => session.setRaised([raised('Read a', 6)]),
        240: (session) => session.setRaised([]),
      },
      run: shuffled(78),
    },
  },
};
