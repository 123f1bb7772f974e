import { at } from '../tale';
import { type Scenes } from './scene';

export const gateBlocked: Scenes = {
  detectors: ['gate_blocked'],
  scenes: {
    'claims that a harness refuses': {
      run: (to) =>
        to
          .used({ totalTokens: 3 })
          .line('completion', { claim: 'DONE' })
          .told('Completion blocked: unit tests failed\n2 of 3')
          .used({ totalTokens: 9 })
          .line('completion', { claim: 'DONE again' })
          .told('QUALITY_BLOCKED')
          .line('turn_end', { reason: 'done' })
          .fault('other', 'quality gates have failed')
          .line('turn_end', { reason: 'waiting' })
          .told('Completion blocked: lint')
          .line('completion', { claim: 'DONE now' })
          .told('all gates passed'),
    },
    'gates that are run': {
      at: {
        2: (session) =>
          session.gates({ at: at(1.5), passed: false, blockedBy: 'tests', summary: '2 of 41 tests failed' }),
        3: (session) =>
          session.gates({
            at: at(2.5),
            passed: false,
            claim: { at: at(2.2), source: { file: 'f', line: 9, offset: 9 }, text: 'finished' },
          }),
        4: (session) => session.gates({ at: at(3.5), passed: false, blockedBy: 'lint', summary: 'See the log.' }),
        6: (session) => session.gates({ at: at(5.5), passed: false, blockedBy: 'types', summary: 'no' }),
        8: (session) => session.gates({ at: at(7.5), passed: true }),
        9: (session) => session.gates({ at: at(8.5), passed: true }),
      },
      run: (to) =>
        to
          .line('completion', { claim: 'DONE' })
          .read('a')
          .line('completion', { claim: 'DONE two' })
          .read('b')
          .line('completion', { claim: 'DONE three' })
          .read('c'),
    },
    'a person, the end of the session, and words that are none': {
      run: (to) =>
        to
          .line('completion', { claim: 'DONE' })
          .told('Completion blocked')
          .line('completion', { claim: 'DONE' })
          .told('request was blocked')
          .line('completion', { claim: 'DONE' })
          .user('I look at it.')
          .told('Completion blocked')
          .line('completion', { claim: 'DONE' })
          .told('nice')
          .told(`${'x'.repeat(2000)} completion blocked`)
          .times(3, (one) => one.line('completion', { claim: 'DONE' }).told('quality gate: failed'))
          .line('session_end', { reason: 'clean' }),
    },
  },
};
