import { describe } from 'vitest';
import { story } from './story';

describe('what a step says: a check is the set of its failures', () => {
  story(
    'the same test fails five times in five different logs',
    `(E a.py · B "pytest -q" fail:"log line %n at %t%lFAILED tests/sum.py::test_total - assert %n == 6%l1 failed, 3 passed in 0.%ns") x5`,
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );

  story(
    'healthy twin: each time another test fails',
    `(E a.py · B "pytest -q" fail:"FAILED tests/sum.py::testCase%n - assert 1 == 6%l1 failed, 3 passed in 0.12s") x5`,
    '',
  );

  story(
    'healthy twin: fewer fail each time',
    `E a.py · B "pytest -q" fail:"FAILED t.py::a - assert 1 == 2%lFAILED t.py::b - assert 1 == 2%lFAILED t.py::c - assert 1 == 2%l3 failed in 0.1s" · E a.py · B "pytest -q" fail:"FAILED t.py::a - assert 1 == 2%lFAILED t.py::b - assert 1 == 2%l2 failed, 1 passed in 0.1s" · E a.py · B "pytest -q" fail:"FAILED t.py::a - assert 1 == 2%l1 failed, 2 passed in 0.1s" · E a.py · B "pytest -q" ok:"3 passed in 0.1s"`,
    '',
  );

  story(
    'healthy twin: fewer fail each time, in the words of an unknown runner',
    'E a · B "npm test" fail:"9 of 900 tests failed" · E a · B "npm test" fail:"5 of 900 tests failed" · E a · B "npm test" fail:"3 of 900 tests failed" · E a · B "npm test" fail:"1 of 900 tests failed"',
    '',
  );

  story(
    'a run that passed is no failure, whatever it logged before',
    `(E a.ts · B "bun test" ok:"error: connection lost, as the test wants it%l1274 pass%l0 fail") x6`,
    '',
  );

  story(
    'another failure in between clears nothing, a pass does',
    `E a · B "pytest -q" fail:"FAILED t.py::a - boom%l1 failed in 1s" · E a · B "pytest -q" fail:"FAILED t.py::a - boom%l1 failed in 1s" · E a · B "pytest -q" fail:"FAILED t.py::b - bang%l1 failed in 1s" · E a · B "pytest -q" fail:"FAILED t.py::a - boom%l1 failed in 1s" · E a · B "pytest -q" ok:"2 passed in 1s" · E a · B "pytest -q" fail:"FAILED t.py::a - boom%l1 failed in 1s"`,
    `
    8 warn repeating_outcome
    10 clear different_result
    12 back repeating_outcome`,
  );
});

describe('what a step says: nothing', () => {
  story(
    'a plan update is no news: its answer does not end a wait without progress',
    '(B "sleep 60" ok: · +60s · B "tail -1 train.log" ok:"epoch 4" · P ok:"the plan has %n items") x25',
    `
    29 warn repeating_action
    59 stuck repeating_action`,
  );
  story('a clock', '(B "./state.sh" ok:"Sat Nov 22 13:26:24 UTC 2026") x12', '');
  story('a stopwatch', '(B "./state.sh" ok:"0.12s") x12', '');
  story(
    'twin: the text next to the clock does say something',
    '(B "./state.sh" ok:"Sat Nov 22 13:26:24 UTC 2026 queued") x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
  story('screenshots that cannot be compared, however many', '(M look:screenshot {"path":"a.png"} ok:%i) x12', '');
  story(
    'twin: the same screenshot again and again, by the digest of its bytes',
    '(M look:screenshot {"path":"a.png"} ok:"[image sha256:0a1b2c3d4e5f6071]") x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
  story(
    'three different screenshots, by the digests of their bytes',
    'M look:screenshot {"path":"a.png"} ok:"[image sha256:0a1b2c3d4e5f6071]" · M look:screenshot {"path":"a.png"} ok:"[image sha256:99ffeeddccbbaa00]" · M look:screenshot {"path":"a.png"} ok:"[image sha256:5f6071820a1b2c3d]" · M look:screenshot {"path":"a.png"} ok:"[image sha256:ccbb99ffeeddaa00]"',
    '',
  );
  story('results that the harness removed', '(R a%n.py · B "cat b.py" ok:"[Old tool result content cleared]") x6', '');
});

describe('what a step says: text', () => {
  story(
    'forty equal results with "SUCCESS" in them',
    '(E a.py · B "python deploy.py" ok:"SUCCESS: deployed 0 of 3 services") x40',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );

  story(
    'healthy twin: the same word of success, and more done each time',
    '(E a.py · B "python deploy.py" ok:"SUCCESS: deployed %n of 900 services") x40',
    '',
  );

  story(
    'the forty are reported even where each edit clears what was read',
    '(E a.py · R notes.md) x44',
    '80 warn repeating_outcome',
  );

  story(
    'one web search with other trailing words, a hundred times',
    `(M look:web_search {"query":"leather exporters of the region list %n"} ok:"No results were found for this query. Try other words or fewer filters.") x100`,
    `
    6 warn repeating_outcome/no_effect
    10 stuck repeating_outcome/no_effect`,
  );

  story(
    'twin: one question to an unknown tool',
    `(M exporters {"query":"leather exporters of the region list %n"} ok:"No results were found for this query. Try other words or fewer filters.") x100`,
    `
    6 warn repeating_outcome/no_effect
    10 stuck repeating_outcome/no_effect`,
  );

  story(
    'healthy twin: every query finds something',
    `(M look:web_search {"query":"leather exporters of the region list %n"} ok:"Found a list with %n entries, the first of which is number %n.") x100`,
    '',
  );

  story(
    'a terminal that swallows every keystroke',
    `(M send_keys {"keys":"make %n"} ok:"root@box:/app# cat > solution.py << EOF%l> import os%l> import sys%l> a = 1%l>     b = 2%l> ") x12`,
    `
    6 warn repeating_outcome/no_effect
    10 stuck repeating_outcome/no_effect`,
  );

  story(
    'healthy twin: the screen moves on',
    `(M send_keys {"keys":"make %n"} ok:"root@box:/app# make%l[%n/40] compiling file_%n.c%lroot@box:/app# ") x12`,
    '',
  );

  story(
    'an editing tool that refuses at length, whatever it is given',
    `(E a.py long:"The edit was not made to this file. The tool accepts only a patch that begins with the line *** Begin Patch and ends with *** End Patch. Please read the description of the tool again, and send the whole patch in this form next time.") x8`,
    `
    6 warn consecutive_failures/refused_edits
    7 stuck consecutive_failures/refused_edits`,
  );
});

describe('errors', () => {
  story(
    'five different errors while patching',
    'B "apt-get install x" fail:"E: Unable to locate package x" · B "pip install y" fail:"ERROR: No matching distribution found for y" · B "make a" fail:"fatal error: zlib.h: No such file or directory" · B "cmake ." fail:"CMake Error: could not find OpenSSL" · B "cargo build" fail:"error[E0432]: unresolved import foo"',
    '',
  );

  story(
    'one error line again and again, whatever the call, with reads in between',
    '(R file%n · B "deploy --try %n" fail:"Error: no credentials for this account") x5',
    `
    8 warn consecutive_failures/same_error
    10 stuck consecutive_failures/same_error`,
  );

  story('an exit code alone names no error', '(B "./step_%n.sh" fail:"exit code 1" · R a%n) x8', '');

  story(
    'the wrapper is not the error: the list above it shrinks',
    `B "bun run lint" fail:"src/a.ts:1:1 error no-var%lsrc/b.ts:2:2 error no-eval%l✖ 2 problems%lerror: script lint exited with code 1" · E a.ts · B "bun run lint" fail:"src/b.ts:2:2 error no-eval%l✖ 1 problem%lerror: script lint exited with code 1" · E b.ts · B "bun run lint" fail:"src/c.ts:3:3 error no-new%l✖ 1 problem%lerror: script lint exited with code 1" · E c.ts · B "bun run lint" fail:"src/d.ts:3:3 error no-with%l✖ 1 problem%lerror: script lint exited with code 1" · E d.ts`,
    '',
  );
});
