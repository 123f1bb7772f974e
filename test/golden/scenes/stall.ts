import { type Scenes } from './scene';

export const stall: Scenes = {
  detectors: ['stall'],
  scenes: {
    'the model does not answer': {
      dues: true,
      run: (to) =>
        to
          .line('session_info', { mode: 'print' })
          .user('go')
          .wait(12)
          .line('clock')
          .wait(20)
          .say('Here.')
          .wait(60)
          .user('more'),
    },
    'a call, a build and a question': {
      dues: true,
      run: (to) =>
        to
          .user('go')
          .start('Grep', 'looked', 'Search x')
          .wait(11)
          .answer('found')
          .start('Bash', 'ran', 'npm test', { command: 'npm test' })
          .wait(15)
          .answer('ok')
          .start('Bash', 'ran', 'npm run build', { command: 'npm run build' })
          .start('Grep', 'looked', 'Search y')
          .wait(25)
          .answer('ok')
          .start('ask', 'asked', 'which one?')
          .wait(200)
          .answer('that'),
    },
    'where tools that run are not shown': {
      hidden: true,
      dues: true,
      run: (to) => to.user('go').wait(18).say('a').user('b').wait(45).say('c'),
    },
    'a retry has its time, and a machine that slept': {
      dues: true,
      at: { 4: (session) => session.woke(Date.parse('2026-11-20T10:40:00Z')) },
      run: (to) =>
        to.user('go').fault('api', 'overloaded', { retryInMs: 300_000 }).wait(14).read('a').wait(25).read('b'),
    },
    'an answer in a session that ends its turns': {
      dues: true,
      run: (to) =>
        to
          .line('turn_start')
          .user('go')
          .say('Done.')
          .line('turn_end', { reason: 'done' })
          .user('more')
          .say('Also done.')
          .wait(60)
          .line('turn_end', { reason: 'done' })
          .wait(60)
          .user('again')
          .line('session_end', { reason: 'clean' }),
    },
    'leave may be waited for': {
      dues: true,
      run: (to) =>
        to
          .user('go')
          .start('Bash', 'ran', 'rm a', { command: 'rm a', args: { command: 'rm a', description: 'x' } })
          .wait(40)
          .answer('gone')
          .line('session_info', { mode: 'print' })
          .start('Bash', 'ran', 'rm b', { command: 'rm b', args: { command: 'rm b', description: 'x' } })
          .wait(40)
          .answer('gone'),
    },
  },
};
