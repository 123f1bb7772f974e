import { type Scenes } from './scene';

export const monologue: Scenes = {
  detectors: ['monologue'],
  scenes: {
    'the same message again, and a call': {
      run: (to) =>
        to
          .used({ totalTokens: 7 })
          .user('Fix it.')
          .times(5, (one) => one.say('I will look at the file now.'))
          .used({ totalTokens: 70 })
          .say('I will look at the file now.')
          .run('ls')
          .say('I will look at the file now.'),
    },
    'over turns that only ask to go on': {
      run: (to) =>
        to
          .user('Fix it.')
          .times(6, (one) =>
            one.say('I will look at the file next.').line('turn_end', { reason: 'done' }).user('continue'),
          )
          .user('No, use other.ts.')
          .say('Well.'),
    },
    'messages that differ, in a turn without any call': {
      run: (to) =>
        to
          .user('Think.')
          .times(6, (one, n) =>
            one.say(`Thought number ${['one', 'two', 'three', 'four', 'five', 'six'][n]} about it.`),
          )
          .line('turn_end', { reason: 'done' })
          .say('And then.')
          .line('session_end', { reason: 'clean' }),
    },
    'with calls that only print a sentence': {
      run: (to) =>
        to
          .user('Fix it.')
          .times(4, (one) => one.say('I will look at the file now.').run('echo "I will look at the file now."'))
          .line('plan', { items: [] })
          .times(2, (one) => one.say('I will look at the file now.'))
          .line('completion', { claim: 'DONE' })
          .say('I will look at the file now.'),
    },
    'short words, news of a harness, and what was meant as a call': {
      run: (to) =>
        to
          .run('ls')
          .told('task 1 ended')
          .times(5, (one) => one.say('Done.'))
          .told('task 2 ended')
          .times(3, (one) => one.say('I wait for the task.').told('go on with your work'))
          .told('task 3 ended with an error')
          .times(2, (one) => one.say('I wait for the task.').told('Look at it. [unstuck 01JD]'))
          .fault('validation', 'no call')
          .say('I wait for the task.'),
    },
    'sent back by a hook, which then gives up': {
      run: (to) =>
        to
          .user('Fix it.')
          .times(6, (one, n) =>
            one
              .say(`Part ${'abcdef'[n]} is done, as far as I can see it here.`)
              .line('turn_end', { reason: 'done' })
              .told('Stop hook feedback: the checklist is not complete.'),
          )
          .run('ls', 'something new')
          .told('Stop hook feedback: the checklist is not complete.')
          .told('The stop hook blocked 8 consecutive times, overriding.')
          .user('It is in docs/list.md.'),
    },
    'more messages than are kept': {
      settings: { monologue: { warn: 3, stuck: 5, window: 4 } },
      run: (to) => to.user('Fix it.').times(9, (one) => one.say(`I will look at the file now${'!'.repeat(2100)}`)),
    },
  },
};
