import { type Scenes } from './scene';

export const textLoop: Scenes = {
  detectors: ['text_loop'],
  scenes: {
    'a sentence again and again in one message': {
      run: (to) =>
        to
          .used({ totalTokens: 10 })
          .user('go')
          .say('I will read the file again. '.repeat(3))
          .say('Something else at last, which is new.')
          .say('I will read the file again. '.repeat(12))
          .run('ls'),
    },
    'streamed, and across messages': {
      run: (to) =>
        to
          .times(12, (one) => one.piece('Let me check this file again. And then that one. Now go.\n'))
          .used({ totalTokens: 99 })
          .say('Let me check this file again. And then that one. Now go.')
          .times(4, (one) => one.say('One thing. Another thing here.\nOne thing. Another thing here.'))
          .user('Stop it, and write the test first.'),
    },
    'short pieces need more of them': {
      run: (to) => to.say('ok then '.repeat(11)).say('well now '.repeat(30)).line('session_end', { reason: 'clean' }),
    },
    'code, tables and whole messages are none': {
      run: (to) =>
        to
          .piece(`Here:\n\`\`\`\n${'call the same thing again();\n'.repeat(20)}`)
          .piece('```\n')
          .line('turn_end', { reason: 'done' })
          .say('| a cell | a cell |\n'.repeat(20))
          .say('---- '.repeat(50))
          .times(6, (one) => one.say('I will look at the same file now.'))
          .told('go on')
          .user('go on'),
    },
    'a call or a new request begins anew, and to be asked to go on does not': {
      run: (to) => {
        const again = (count: number): string => 'I will read the file once more. '.repeat(count);
        return to
          .user('Read a.ts.')
          .say(again(4))
          .run('ls')
          .say(again(4))
          .user('continue')
          .told('go on, the build is done')
          .say(again(3))
          .user('Write sum.test.ts first.')
          .say(again(4))
          .line('session_end', { reason: 'clean' })
          .say(again(4))
          .line('turn_end', { reason: 'done' })
          .used({ totalTokens: 9 });
      },
    },
    'with higher limits, also for the mark of the agent itself': {
      settings: { text_loop: { warn: 7, stuck: 12, window: 3 } },
      run: (to) =>
        to
          .line('vendor_loop', { message: 'repeated content was found' })
          .say('Nine or ten. '.repeat(11))
          .say('Nine or ten. '.repeat(12))
          .run('ls')
          .say('Nine ten '.repeat(14))
          .say('Nine ten '.repeat(20))
          .run('ls')
          .say('The first message, which says something.')
          .times(8, (one) => one.say('One thing is done. Now the next.\nOne thing is done. Now the next.')),
    },
    'by the mark of the agent itself': {
      run: (to) =>
        to
          .line('vendor_loop', { message: 'the model repeats the same tool call' })
          .line('vendor_loop', { message: 'repeated content was found' })
          .say('Something new.')
          .line('vendor_loop', { message: 'chanting' })
          .run('ls'),
    },
    'short pieces, at the edge of short': {
      run: (to) =>
        ['x'.repeat(17), 'x'.repeat(18), 'x'.repeat(19)].reduce(
          (all, word) =>
            all.say(`${word}. `.repeat(6)).say(`${word}. `.repeat(11)).say(`${word}. `.repeat(12)).run('ls'),
          to,
        ),
    },
    'more messages than are shown, and one that goes on behind others': {
      run: (to) =>
        to
          .say('A beginning that says something of its own. And it is long.')
          .times(12, (one) =>
            one.say('One thing is done. Another thing is done.\nOne thing is done. Another thing is done.'),
          )
          .piece('One thing is done. ')
          .line('turn_end', { reason: 'done' })
          .told('on')
          .line('vendor_loop', { message: 'a chant was heard' })
          .user('And now the tests, please write them.')
          .line('session_end', { reason: 'clean' }),
    },
    'a long text of which the end repeats': {
      run: (to) =>
        to
          .piece(Array.from({ length: 900 }, (_, n) => `word${n}`).join(' '))
          .times(70, (one) => one.piece(' And so I look at the same file for one more time.'))
          .used({ totalTokens: 5 })
          .say(
            `${Array.from({ length: 1_500 }, (_, n) => `other${n}`).join(' ')}${' And so I look at the same file.'.repeat(9)}`,
          ),
    },
    'in a fence that ends, and in one that does not': {
      run: (to) =>
        to
          .say(
            `\`\`\`\n${'call it again please now\n'.repeat(9)}\`\`\`\n${'Call it again, please, and now.\n'.repeat(9)}`,
          )
          .say('Something new that was not said so far.')
          .piece(`\`\`\`\n${'call it again please now\n'.repeat(9)}`)
          .used({})
          .say('Call it again, please, and now.\n'.repeat(9)),
    },
    'longer than what is kept of it': {
      settings: { text_loop: { warn: 4, stuck: 6 } },
      run: (to) => to.times(20, (one) => one.piece('The very same sentence comes here once more, word by word. ')),
    },
  },
};
