import { type Scenes, looks } from './scene';

export const contextPollution: Scenes = {
  detectors: ['context_pollution'],
  scenes: {
    'what the notes list as failed, again': {
      run: (to) =>
        looks(12)(
          to
            .used({ totalTokens: 4 })
            .user('Already tried and failed: `make all`, `npm run x`.')
            .fail('make all', 'no rule')
            .used({ totalTokens: 8 })
            .fail('npm run x', 'no script')
            .fail('make all', 'no rule'),
        ),
    },
    'until it works, or something progresses': {
      run: (to) =>
        to
          .line('compaction', { summary: 'Previous attempts:\n- ran: make all\n- make more' })
          .fail('make all', 'no rule')
          .run('make all', 'built')
          .fail('make more', 'no rule')
          .edit('Makefile')
          .fail('make more', 'no rule')
          .told('Do not retry `make more`.')
          .fail('make more', 'no rule')
          .fail('make more', 'no rule')
          .user('Stop, and use build.sh.')
          .fail('make more', 'no rule')
          .line('session_end', { reason: 'clean' }),
    },
  },
};
