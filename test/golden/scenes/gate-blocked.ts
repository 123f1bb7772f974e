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
    'each way to refuse a claim': {
      run: (to) =>
        [
          'Completion Blocked: unit tests failed | completion blocked: a-b c | completion blocked:types failed now',
          'completion blocked | request was blocked | QUALITY_BLOCKED | quality gates failed | quality gate: have failed',
          'quality gates have failed | completions blocked | incompletion blocked | xQUALITY_BLOCKED | quality gates fail',
          'completion blocked: -x failed | completion blocked: - | requests were blocked',
        ]
          .flatMap((line) => line.split(' | '))
          .reduce((all, text) => all.line('completion', { claim: 'DONE' }).told(`It says: ${text}`).user('on'), to),
    },
    'each way to accept one': {
      run: (to) =>
        [
          'QUALITY_PASSED | all gates passed | all quality gates have passed | all gates have passed | all quality gates passed',
          'xQUALITY_PASSED | gates passed | all gates have been passed | call gates passed',
        ]
          .flatMap((line) => line.split(' | '))
          .reduce(
            (all, text) =>
              all
                .line('completion', { claim: 'DONE' })
                .told('Completion blocked')
                .line('completion', { claim: 'DONE' })
                .told(`It says: ${text}`)
                .user('on'),
            to,
          ),
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
