import { describe } from 'vitest';
import { story } from './story';

describe('the same call again', () => {
  story(
    'three times the same: a warning; four times: stuck',
    '(B "make" fail:no_rule) x5',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'a call that succeeds with the same result is no better',
    '(B "cat notes" ok:empty) x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'a reworded description and a clock in the result do not make it new',
    '(B "make" fail:"at_%t_no_rule") x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story('healthy twin: every result is different', '(B "make" fail:"%n_errors_left" · E a.c) x6', '');

  story(
    'a call that only fails, with another text each time, is stuck too',
    '(M translate {"text":"x"} fail:reference_%n_apples) x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'it ends when the call returns something else',
    '(B "make" fail:no_rule) x4 · E Makefile · B "make" ok:built',
    `
    3 warn repeating_action
    4 stuck repeating_action
    6 clear different_result`,
  );

  story(
    'it ends when the call does not return within 12 steps',
    '(B "make" fail:no_rule) x4 · (R file%n.c) x13',
    `
    3 warn repeating_action
    4 stuck repeating_action
    16 clear not_back`,
  );

  story(
    'it ends when the person writes',
    '(B "make" fail:no_rule) x4 · U "run tools/build.sh first" · B "make" fail:no_rule',
    `
    3 warn repeating_action
    4 stuck repeating_action
    4 clear user_message`,
  );

  story(
    'it ends with the session',
    '(B "make" fail:no_rule) x3 · end',
    `
    3 warn repeating_action
    3 clear session_end`,
  );

  story(
    'the same outcome within 50 steps reopens it',
    '(B "make" fail:no_rule) x4 · (R file%n.c) x20 · B "make" fail:no_rule',
    `
    3 warn repeating_action
    4 stuck repeating_action
    16 clear not_back
    25 back repeating_action`,
  );

  story(
    'after more than 50 steps it is forgotten',
    '(B "make" fail:no_rule) x4 · (R file%n.c) x70 · B "make" fail:no_rule',
    `
    3 warn repeating_action
    4 stuck repeating_action
    16 clear not_back`,
  );

  story(
    'our own message is neither a repeat nor progress',
    '(B "make" fail:no_rule) x2 · N · (B "make" fail:no_rule) x2',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'to-do updates in between change nothing',
    '(B "make" fail:no_rule · P) x4',
    `
    5 warn repeating_action
    7 stuck repeating_action`,
  );

  story(
    'a to-do update that changes nothing, again and again',
    '(P =same) x8',
    `
    4 warn repeating_action
    5 stuck repeating_action`,
  );

  story(
    'a to-do update that fails, again and again',
    '(P =same fail:"Error: unknown item id") x8',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'the first message of a session does not count as a repeat by the person',
    'U "make it build" · (B "make" fail:no_rule) x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
});

describe('repeats that are no alarm', () => {
  story('to-do updates, each of which changes the plan', '(P) x8', '');
  story('questions', '(Q) x8', '');
  story('the person asks for it each time', '(U "again" · B "make" fail:no_rule) x8', '');
  story(
    'one parallel batch is one piece of evidence',
    '[ B "make" fail:no · B "make" fail:no · B "make" fail:no · B "make" fail:no ]',
    '',
  );
  story(
    'four batches are four',
    '([ B "make" fail:no · B "make" fail:no ]) x4',
    `
    5 warn repeating_action
    7 stuck repeating_action`,
  );
  story('a wait for something that advances', '(W epoch_%n · +30s) x30', '');
  story('a wait with no progress for less than two minutes', '(W epoch_4) x30', '');
  story(
    'a wait with no progress for longer',
    '(W epoch_4 · +30s) x21',
    `
    10 warn repeating_action
    20 stuck repeating_action`,
  );
  story(
    'checking on a job, with waits in between',
    '(B "curl -s localhost/status" ok:queued · B "sleep 30" ok: · +30s) x9',
    '',
  );
  story(
    'a job that makes no progress for a long time',
    '(B "curl -s localhost/status" ok:queued · B "sleep 30" ok: · +30s) x21',
    `
    19 warn repeating_action
    39 stuck repeating_action`,
  );
  story(
    'waits do not hide a check that fails the same way',
    '(B "pytest -q" fail:2_failed · B "sleep 5" ok:) x4',
    `
    5 warn repeating_action
    7 stuck repeating_action`,
  );
  story('reading on, page by page', '(M look:read {"path":"a","offset":%n} ok:page_%n) x8', '');
  story(
    'twin: the same page again and again',
    '(M look:read {"path":"a","offset":1} ok:page_1) x8',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
  story('scrolling on', '(M scroll ok:page_%n) x8', '');
  story(
    'twin: the page does not move',
    '(M scroll ok:page_1) x8',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
});

describe('the same result, with other steps in between', () => {
  story(
    'an agent that writes another version between equal failing test runs',
    '(E sitecustomize.py · B "pytest -q" fail:ERROR_rc=2) x5',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );

  story(
    'healthy twin: the failures become fewer',
    'B "pytest -q" fail:9_failed · E a.py · B "pytest -q" fail:5_failed · E a.py · B "pytest -q" fail:2_failed · E a.py · B "pytest -q" ok:14_passed',
    '',
  );

  story('a passing check after each new edit is not counted at all', '(E a.py · B "npm run build" ok:built) x10', '');

  story(
    'nor is a build of a package that is fetched for it, with a look at what it left',
    '(E vite.config.js · B "npx --yes vercel@latest build --yes" ok:"Build completed successfully.") x2 · B "npx --yes vercel@latest build --yes" ok:"Build completed successfully."',
    '',
  );

  story(
    'twin: the same build fails in the same way after each edit',
    '(E vite.config.js · B "npx --yes vercel@latest build --yes" fail:"Error: No Output Directory named dist found") x4',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );

  story(
    'nor is a command that only changes files, before each build',
    '(E a.py · B "rm -rf build" ok: · B "make" ok:%n_files_built) x10',
    '',
  );

  story(
    'nor is a formatter that writes, after each edit',
    '(E a.py · B "black ." ok:"1 file reformatted." · B "pytest -q" ok:"3 passed in 0.1s") x8',
    '',
  );

  story(
    'twin: it formats again and again without an edit',
    '(B "black ." ok:"1 file left unchanged." · B "pytest -q" ok:"3 passed in 0.1s") x5',
    `
    5 warn repeating_outcome
    7 stuck repeating_outcome`,
  );

  story(
    'the pipe into tail hides the exit code, not the failures',
    '(E a.py · B "pytest -q | tail -3" ok:"2 failed, 3 passed in 0.5s") x5',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );

  story(
    'a script that still prints the same after every edit',
    '(E a.py · B "python repro.py" ok:wrong_answer_7) x5',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );

  story(
    'reading other things in between does not help',
    '(R file%n.py · G word%n · B "pytest -q" fail:ERROR) x5',
    `
    9 warn repeating_outcome
    12 stuck repeating_outcome`,
  );

  story(
    'spread too thin: fewer than three within twenty steps',
    '(B "pytest -q" fail:ERROR · (R file%n.py) x10) x5',
    '',
  );

  story(
    'twin: three within twenty steps',
    '(B "pytest -q" fail:ERROR · (R file%n.py) x8) x5',
    '19 warn repeating_outcome',
  );

  story(
    'it ends when an edit changes the result',
    '(E a.py · B "pytest -q" fail:ERROR) x4 · E a.py · B "pytest -q" ok:4_passed',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome
    10 clear different_result`,
  );

  story(
    'a result that alternates between two',
    '(E a.py · B "pytest -q" fail:x_is_broken · E a.py · B "pytest -q" fail:y_is_broken) x3',
    `
    10 warn repeating_outcome`,
  );
});

describe('presets', () => {
  story(
    'eager',
    '(B "make" fail:no_rule) x3',
    `
    2 warn repeating_action
    3 stuck repeating_action`,
    { preset: 'eager' },
  );
  story(
    'patient',
    '(B "make" fail:no_rule) x6',
    `
    5 warn repeating_action
    6 stuck repeating_action`,
    { preset: 'patient' },
  );
});
