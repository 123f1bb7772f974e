import { type Scenes, looks } from './scene';

export const condensationLoop: Scenes = {
  detectors: ['condensation_loop'],
  scenes: {
    'straight back to what failed': {
      run: (to) =>
        to
          .used({ totalTokens: 5 })
          .fail('make', 'no rule')
          .fail('make', 'no rule')
          .used({ totalTokens: 90 })
          .line('compaction', { tokensBefore: 100, tokensAfter: 20 })
          .fail('make', 'no rule')
          .fail('make', 'no rule')
          .line('compaction', { trigger: 'auto' })
          .fail('make', 'no rule')
          .run('make', 'built'),
    },
    'back only once, and then something else': {
      run: (to) =>
        looks(13)(to.fail('make', 'no rule').line('compaction').fail('make', 'no rule').fail('make', 'no rule')),
    },
    'progress, a person or the end makes it over': {
      run: (to) =>
        to
          .fail('make', 'no rule')
          .line('compaction')
          .times(2, (one) => one.fail('make', 'no rule'))
          .edit('a.ts')
          .fail('make', 'no rule')
          .line('compaction')
          .times(2, (one) => one.fail('make', 'no rule'))
          .user('Stop, and use build.sh.')
          .line('compaction')
          .times(2, (one) => one.fail('make', 'no rule'))
          .line('session_end', { reason: 'clean' }),
    },
    'again and again without anything new': {
      run: (to) =>
        to
          .run('ls', 'a')
          .times(4, (one) => one.line('compaction', { trigger: 'auto' }).run('ls', 'a'))
          .read('new.ts')
          .times(2, (one) => one.line('compaction', { trigger: 'manual' }).run('ls', 'a'))
          .times(3, (one) => one.line('compaction').run('ls', 'a'))
          .run('ls', 'a')
          .times(40, (one) => one.run('ls', 'a')),
    },
    'two records of one compaction, and a change of the model': {
      run: (to) =>
        to
          .line('session_info', { model: 'a' })
          .run('ls', 'a')
          .line('compaction', { at: Date.parse('2026-11-20T10:00:03.100Z') })
          .line('compaction', { at: Date.parse('2026-11-20T10:00:03.900Z') })
          .run('ls', 'a')
          .line('session_info', { model: 'b' })
          .line('compaction')
          .run('ls', 'a')
          .line('session_info', { model: 'b' })
          .line('compaction')
          .say('so')
          .line('compaction')
          .run('ls', 'a')
          .line('compaction'),
    },
  },
};
