import { type Scenes, looks } from './scene';

export const oversizedResponse: Scenes = {
  detectors: ['oversized_response'],
  scenes: {
    'a long result, and a longer one': {
      settings: { oversized_response: { warn: 1000 } },
      run: (to) =>
        looks(12)(
          to
            .run('cat a.log', 'x'.repeat(900))
            .run('cat a.log', `${'a'.repeat(500)}${'b'.repeat(700)}`)
            .run('cat b.log', 'short', { result: { size: 250_000 } })
            .run('cat c.log', 'c'.repeat(1000), { result: { spilledTo: '/tmp/c.txt', size: 9_000_000 } }),
        ),
    },
    'of a batch that has one answer': {
      settings: { oversized_response: { warn: 1000 } },
      run: (to) =>
        to
          .times(2, (one) =>
            one
              .start('Read', 'looked', 'Read a', { batch: 'b', args: { a: 1 } })
              .answer('z'.repeat(2000), { merged: true }),
          )
          .told('go on')
          .user('Stop.')
          .run('cat d.log', 'd'.repeat(2000))
          .line('session_end', { reason: 'clean' }),
    },
  },
};
