import { resolveOptions } from '../../../src/detect/session/options';
import { type Scenes, raised } from './scene';

export const settings: Scenes = {
  detectors: ['max_runtime', 'oversized_response', 'stall', 'condensation_loop'],
  scenes: {
    'rules are switched off, and on again': {
      settings: { oversized_response: { warn: 1000 }, stall: { model: 5 } },
      dues: true,
      at: {
        4: (session) =>
          session.setOptions(
            resolveOptions({ preset: 'balanced', detectors: { oversized_response: 'off', stall: 'off' } }),
          ),
        8: (session) =>
          session.setOptions(resolveOptions({ preset: 'balanced', detectors: { oversized_response: { warn: 500 } } })),
      },
      run: (to) =>
        to
          .run('cat a', 'a'.repeat(2000))
          .user('go')
          .wait(6)
          .run('cat b', 'b'.repeat(2000))
          .wait(20)
          .user('on')
          .run('cat c', 'c'.repeat(600))
          .wait(20)
          .say('So.'),
    },
    'limits that a person raised hold for rules outside of the family too': {
      settings: { oversized_response: { warn: 1000 } },
      at: { 3: (session) => session.setRaised([{ ...raised('cat a', 3000), detector: 'oversized_response' }]) },
      run: (to) =>
        to
          .run('cat a', 'a'.repeat(2000))
          .user('go')
          .run('cat a', 'a'.repeat(2000))
          .run('cat a', 'a'.repeat(3000))
          .run('cat b', 'b'.repeat(2000)),
    },
  },
};
