import { resolveOptions } from '../../../src/detect/session/options';
import { type Scenes, STEPS, raised } from './scene';

export const steps: Scenes = {
  detectors: STEPS,
  scenes: {
    'one call, one result': { run: '(B make fail:no_rule) x6 · B make ok:built' },
    'one call, one result, and other steps between': { run: '(B make fail:no_rule) x3 · (R f%n) x13' },
    'one call that fails with other words': { run: '(B make fail:"broke at %n of them") x6' },
    waits: { run: '(W still) x22' },
    looks: { run: '(R a) x8' },
    'a batch and a repeat that was asked for': {
      run: 'U "List it." · [ · R a · R a · ] · B ls ok:a · U again · B ls ok:a · (B ls ok:a) x3',
    },
    'edits of one file between equal failures': {
      run: '(E calc.py · B "pytest -q" fail:"1 failed in 0.%n1s") x6 · B "pytest -q" ok:"3 passed"',
    },
    'edits of several files between equal failures': {
      run: '(E a.py · E b.py · B "./check.sh" fail:"error: it does not hold") x5 · U "look at c.ts"',
    },
    'an edit that repeats': { run: '(E a.py =x · B "ls" ok:%n) x6' },
    'a value that moves': {
      run: 'E c.py · B "pytest -q" fail:"E   assert -6 == 6%lFAILED t.py::test_total - assert -6 == 6%l1 failed in 0.1s" · E c.py · B "pytest -q" fail:"E   assert 3 == 6%lFAILED t.py::test_total - assert 3 == 6%l1 failed in 0.1s" · E c.py · B "pytest -q" fail:"E   assert 4 == 6%lFAILED t.py::test_total - assert 4 == 6%l1 failed in 0.1s" · E c.py · B "pytest -q" fail:"E   assert 5 == 6%lFAILED t.py::test_total - assert 5 == 6%l1 failed in 0.1s"',
    },
    'two results in turns': {
      run: '(B "check a" fail:"error: one" · E a.py · B "check a" fail:"error: two" · E b.py) x6',
    },
    'different results of one call': { run: '(E a · B pytest fail:%n_failed) x6 · E a · B pytest ok:all_passed' },
    'a call that passes after each edit': { run: '(E a · B "npm run build" ok:built) x5' },
    'rounds of three': { run: '(R a · R b · G word ok:here) x6 · R c' },
    'rounds of two with a failure': { run: '(B "prepare" ok:ready · B "start" fail:"port is taken") x5' },
    'rounds of five, of waits and of looks': {
      run: '(B "a" ok:1 · B "b" ok:2 · B "c" ok:3 · B "d" ok:4 · B "e" ok:5) x5 · U "now wait for b.ts" · (W ok:a · W ok:b) x24 · U "now read x.ts" · (R x · R y) x5',
    },
    'rounds with an error of the harness': { run: '(R a · X "part broke") x6 · U "leave b.ts" · (R a · L) x5' },
    'failures with one error': {
      run: 'B "one a" fail:"error: no access" · R x · B "two a" fail:"error: no access" · R y · B "three a" fail:"error: no access" · R z · B "four a" fail:"error: no access" · B "five" fail:"error: no access" · B "six" fail:"error: no access"',
    },
    'failures in a row with one error, by calls that differ': {
      run: '(B "do %n" fail:"error: no access here") x6 · R a',
    },
    'failures in a row with few errors': {
      run: '(B "one %n" fail:alpha_error · M two fail:beta_error · B "three %n" fail:gamma_error) x4 · R done',
    },
    'failures and successes of one tool with targets': {
      run: (to) =>
        to
          .times(3, (one, n) => one.read(`gone${n}`, 'error: no such place', { result: { isError: true } }))
          .read('here')
          .times(3, (one, n) => one.read(`gone${n}`, 'error: no such place', { result: { isError: true } }))
          .times(34, (one, n) => one.start(`tool${n}`, 'looked', 'look', { target: 'a' }).answer(`text ${n}`))
          .times(3, (one, n) => one.read(`gone${n}`, 'error: no such place', { result: { isError: true } }))
          .fail('ls gone', 'error: no such place')
          .tool('other', {}, 'error: no such place', { result: { isError: true } })
          .tool('other', { a: 1 }, 'fine')
          .tool('other', { a: 2 }, 'error: no such place', { result: { isError: true } }),
    },
    'errors that come back after many others': {
      run: (to) =>
        to
          .fail('do a', 'error: the first of them')
          .fail('do b', 'error: the first of them')
          .times(33, (one, n) =>
            one.fail(`try ${n}`, `error: number ${['one', 'two', 'three'][n % 3]} ${'x'.repeat(n)}`).read(`r${n}`),
          )
          .fail('do c', 'error: the first of them')
          .fail('do d', 'error: the first of them')
          .times(22, (one, n) => one.read(`s${n}`))
          .fail('do e', 'error: the first of them')
          .times(3, (one) => one.read('t'))
          .fail('do f', 'error: the first of them')
          .run('do f', 'done')
          .fail('do g', 'error: the first of them'),
    },
    'failures of a batch, of waits, and of an edit and a run in one': {
      run: (to) =>
        to
          .times(4, (one, n) =>
            one
              .start('Bash', 'ran', `b${n}`, { command: `b${n}`, batch: 'x' })
              .answer(`error: it broke ${n}`, { isError: true }),
          )
          .run('npm start &', 'started')
          .times(9, (one, n) => one.fail(`curl localhost:${n}`, 'Connection refused', { result: { exitCode: 7 } }))
          .read('a')
          .times(7, (one, n) => one.fail(`cat > a${n}.py <<E\nx\nE\npython a${n}.py`, `KeyError: ${'ab'[n % 2]}`))
          .read('b')
          .times(7, (one) => one.fail('cat > b.py <<E\nx\nE\npython b.py', 'KeyError: total')),
    },
    'sweeps among other failures': {
      run: (to) =>
        to
          .times(3, (one, n) => one.fail(`python run${n}.py`, 'error: no access here'))
          .fail('make', 'no rule')
          .times(3, (one, n) => one.fail(`python run${n}.py`, 'error: no access here'))
          .fail('node x.js', 'SyntaxError: it ends')
          .times(4, (one, n) =>
            one.fail(`python run${n}.py`, n % 2 === 0 ? 'error: no access here' : 'error: no place'),
          )
          .fail('make', 'no rule')
          .times(25, (one, n) => one.fail(`python all${n}.py`, 'error: no access here')),
    },
    'forty failures in a row': { run: '(B "try %n" fail:alpha_error · B "go %n" fail:beta_error) x20' },
    'back and forth between three results, over changes': {
      run: '(B "python x.py" ok:one · E a.py · B "python x.py" ok:two · E a.py · B "python x.py" ok:three · E b.py · R f%n) x6 · U "now with q.ts" · (B "python x.py" ok:one · E a.py · B "python x.py" ok:two · E b.py) x2 · (B "python x.py" ok:four · E a.py · B "python x.py" ok:five) x3',
    },
    'back and forth of a check that passes in between': {
      run: '(B pytest fail:1_failed · E a.py · B pytest fail:2_failed · E a.py) x4 · B pytest ok:3_passed · (E a.py · B pytest fail:1_failed · E b.py · B pytest fail:2_failed) x4',
    },
    'looks and waits go back and forth without an alert': {
      run: '(B "cat a" ok:one · E a.py · B "cat a" ok:two · E a.py) x6 · (B "tail -f x" ok:one · E a.py · B "tail -f x" ok:two · E b.py) x6 · (M look:inspect {"a":1} ok:one · E a.py · M look:inspect {"a":1} ok:two · E b.py) x6',
    },
    'ten different results, and one that was there before': {
      run: 'B run ok:a · E x · B run ok:b · E x · B run ok:c · E x · B run ok:d · E x · B run ok:e · E x · B run ok:f · E x · B run ok:g · E x · B run ok:h · E x · B run ok:i · E x · B run ok:j · E x · B run ok:j · B run ok:k · B run ok:a',
    },
    'rounds that a batch or an exempt step is part of': {
      run: '(R a · P · R b · I make · R c%n) x3 · (R a · P · R b · I make) x5 · U "now with q.ts" · ([ · R a · R a · R b · ]) x5',
    },
    'rounds of thirteen, and of a look and a change': {
      run: '(B a ok:a · B b ok:b · B c ok:c · B d ok:d · B e ok:e · B f ok:f · B g ok:g · B h ok:h · B i ok:i · B j ok:j · B k ok:k · B l ok:l · B m ok:m) x3 · U "now with q.ts" · (R x · E y =z) x5 · U "now wait for r.ts" · (W ok:a · R x) x24',
    },
    'errors of the harness by their kind': {
      run: (to) =>
        ['other', 'timeout', 'api', 'rate_limit', 'validation'].reduce(
          (all, kind) =>
            all.times(4, (one) => one.read('a').fault(kind, 'it broke at 12:30:01')).user(`look at ${kind}.ts`),
          to,
        ),
    },
    'a search, with a new error each time': { run: '(B "try %n" fail:"error: part %n broke") x12' },
    'a sweep': { run: '(B "python run%n.py" fail:"error: no access here") x14' },
    'one query with other trailing words': {
      run: '(G "the same beginning of a long query %n" ok:"No matches found") x12',
    },
    'keys that change nothing': {
      run: '(M press {"key":"a"} ok:"The screen shows a red button" · M press {"key":"b"} ok:"The screen shows a red button" · M press {"key":"c"} ok:"The screen shows a red button") x4',
    },
    'one streak is over, another comes': {
      run: '(B "make" fail:no_rule) x3 · B "make" ok:built · (R f%n) x3 · (B "make" fail:no_rule) x3 · (R g%n) x60 · (B "make" fail:no_rule) x3 · end',
    },
    'a person stops it, and it begins anew': {
      run: '(B "make" fail:no_rule) x4 · U "build with tools/make.sh" · (B "make" fail:no_rule) x4',
    },
    'a rule is switched off and on': {
      at: {
        9: (session) =>
          session.setOptions(resolveOptions({ preset: 'balanced', detectors: { repeating_action: 'off' } })),
        13: (session) => session.setOptions(resolveOptions({ preset: 'balanced', detectors: {} })),
        17: (session) =>
          session.setOptions(
            resolveOptions({
              preset: 'balanced',
              detectors: {
                repeating_action: 'off',
                cycle: 'off',
                repeating_outcome: 'off',
                consecutive_failures: 'off',
              },
            }),
          ),
        21: (session) => session.setOptions(resolveOptions({ preset: 'eager', detectors: {} })),
      },
      run: '(B "make" fail:no_rule) x14',
    },
    'a rule that is off does not speak, and holds nothing back of the others': {
      settings: { repeating_action: 'off' },
      run: '(B "make" fail:no_rule) x9 · U "look at b.ts" · (E a.py · B "make" fail:no_rule) x5',
    },
    'tokens that were used since the first': {
      run: (to) => to.times(5, (one, n) => one.used({ totalTokens: 100 * (n + 1) }).fail('make', 'no rule')),
    },
    'a raised limit holds it back': {
      at: {
        1: (session) => session.setRaised([raised('make', 6)]),
        15: (session) => session.setRaised([raised('make', 9)]),
        17: (session) => session.setRaised([raised('other', 20)]),
      },
      run: '(B "make" fail:no_rule) x9',
    },
    'a person says to go on between equal failures': {
      run: 'U "Make it build." · (B "make" fail:no_rule · U "still not working") x8',
    },
    'a person asked for many repeats': { run: 'U "Run make 300 times." · (B "make" fail:no_rule) x8' },
    'messages of eight calls': {
      run: '([ · B "make" fail:no_rule · R a%n · R b%n · R c%n · R d%n · R e%n · R f%n · R g%n · ]) x5',
    },
    'edits of one file that are refused': {
      run: '(M change:edit {"file_path":"a.ts","old_string":"%n","new_string":"x"} fail:"the text %n is not there" · R f%n) x6 · (M change:edit {"file_path":"a.ts","old_string":"%n","new_string":"x"} ok:done) x2',
    },
    'one file that is changed back and forth': {
      run: (to) =>
        to.times(8, (one, n) =>
          one
            .start('Write', 'changed', 'Write a.py', {
              target: 'a.py',
              args: { file_path: 'a.py', content: n % 2 === 0 ? 'x = 1' : 'x = 2' },
            })
            .answer('written')
            .fail('pytest -q', `FAILED t.py::test_${n} - boom\n1 failed in 0.1s`)
            .read(`f${n}.py`),
        ),
    },
    'one file that is written blind': {
      run: (to) =>
        to
          .times(8, (one, n) =>
            one
              .start('Write', 'changed', 'Write a.py', {
                target: 'a.py',
                args: { file_path: 'a.py', content: `version ${n}` },
              })
              .answer('written'),
          )
          .read('a.py'),
    },
    'a check that gets no better': {
      run: (to) =>
        to.times(9, (one, n) =>
          one.edit('a.py').fail(
            'pytest -q',
            Array.from(
              { length: [3, 4, 3, 5, 4, 3, 6, 4, 2][n] ?? 1 },
              (_, at) => `FAILED t.py::test_${n}_${at} - boom`,
            )
              .concat(`${[3, 4, 3, 5, 4, 3, 6, 4, 2][n]} failed in 0.1s`)
              .join('\n'),
          ),
        ),
    },
    'a start that dies': {
      run: '(E a.py · B "npm start &" ok:started · B "pgrep -f server.js" fail:"") x6 · B "npm start &" ok:started · B "pgrep -f server.js" ok:4711',
    },
    'a board that stands still': {
      run: '(M wait:wait_agent {"id":"w","timeout_ms":3600000} ok:"two of nine" · +70s) x22',
    },
    'a request that the service refuses': {
      run: (to) =>
        to
          .user('Sum it up.')
          .times(6, (one) => one.fault('api', '400 prompt is too long for this model'))
          .say('Here it is.'),
    },
    'an old repeat among many steps': {
      run: '(R a · R f%n · R g%n · R h%n · R i%n · R j%n · R k%n · R l%n · R m%n) x45',
    },
  },
};
