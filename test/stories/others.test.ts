import { describe } from 'vitest';
import type { DetectorId } from '../../src/core/model';
import { story } from './story';

const only = (detector: DetectorId) => ({ detectors: [detector] });

describe('malformed calls', () => {
  story(
    'three in a row',
    'R a · (V) x3 · R b',
    `
    3 warn validation_failure
    4 stuck validation_failure
    5 clear well_formed`,
    only('validation_failure'),
  );

  story(
    'one tool whose calls never fit, with other calls in between',
    '(V · R a%n · M change:Write {"file_path":"scratch/%n.md","content":"%n"}) x5 · E a.ts',
    `
    10 warn validation_failure
    13 stuck validation_failure
    16 clear well_formed`,
    only('validation_failure'),
  );

  story('healthy twin: its surroundings are changed in between', '(V · E a.ts) x9', '', only('validation_failure'));

  story(
    'exactly the same one, with good calls of the tool in between',
    '(V · B "ls src/%n") x5',
    `
    7 warn validation_failure
    9 stuck validation_failure`,
    only('validation_failure'),
  );

  story('healthy twin: long ago', '(V · (R a%n) x13) x5', '', only('validation_failure'));

  story('healthy twin: they run, and fail', '(B "ls %n" fail:no_such_directory) x5', '', only('validation_failure'));
});

describe('silence', () => {
  story(
    'the model does not answer',
    'U "fix it" · +660s · tick · A "Here."',
    `
    0 warn stall
    0 clear new_line`,
    only('stall'),
  );

  story('healthy twin: it waits for an answer from the person', 'U "fix it" · ? · +3600s · tick', '', only('stall'));

  story('healthy twin: its turn has ended', 'U "fix it" · A "Done." · . · +3600s · tick', '', only('stall'));
});

describe('compaction', () => {
  story(
    'straight back to what failed',
    '(B "make" fail:no_rule) x2 · C · (B "make" fail:no_rule) x2 · E Makefile',
    `
    3 warn condensation_loop
    4 stuck condensation_loop
    5 clear progress`,
    only('condensation_loop'),
  );

  story(
    'again and again with nothing new in between',
    'R a · (R a · +5s · C) x3',
    `
    3 warn condensation_loop
    4 stuck condensation_loop`,
    only('condensation_loop'),
  );

  story('healthy twin: it reads something new in between', '(R a%n · +5s · C) x3', '', only('condensation_loop'));

  story('healthy twin: once, and then it continues its work', 'R a · C · (R b%n) x9', '', only('condensation_loop'));
});

describe('the same text', () => {
  const sentence = 'I will look at the total function once more. ';
  story(
    'within one message',
    `A "${sentence.repeat(9)}" · R a`,
    `
    0 stuck text_loop
    0 clear tool_call`,
    only('text_loop'),
  );

  story(
    'as often as the person asked for it: a warning, and no more',
    `U "write the sentence 3000 times" · A "${sentence.repeat(9)}"`,
    '0 warn text_loop',
    only('text_loop'),
  );

  story(
    'as the person worded it: a warning, and no more',
    `U "print ${sentence.trim()} until I stop you" · A "${sentence.repeat(9)}"`,
    '0 warn text_loop',
    only('text_loop'),
  );

  story(
    'twin: the prompt asks for no text',
    `U "Make the total function work. ${sentence.trim()}" · A "${sentence.repeat(9)}"`,
    '0 stuck text_loop',
    only('text_loop'),
  );

  story('healthy twin: once in each of nine messages', `(A "${sentence}") x9`, '', only('text_loop'));
});

describe('the context runs out', () => {
  story(
    'and nothing progresses',
    'R a · (R a · +70s) x10 · K 82 · K 91 · E a',
    `
    11 warn token_exhaustion
    11 stuck token_exhaustion
    12 clear progress`,
    only('token_exhaustion'),
  );

  story('healthy twin: every step says something new', '(R a%n · +70s) x12 · K 91', '', only('token_exhaustion'));

  story('healthy twin: there is progress', '((R a%n) x4 · E a%n · K 85) x4', '', only('token_exhaustion'));
});

describe('a long run', () => {
  story(
    'half an hour of work without a result',
    'U "find it" · (B "cat %n" · +400s) x6 · B "ls" · E a',
    `
    6 warn max_runtime
    8 clear progress`,
    only('max_runtime'),
  );

  story('healthy twin: there is a result', 'U "find it" · (B "cat %n" · +400s · E a%n) x12', '', only('max_runtime'));
});

describe('refused requests', () => {
  story(
    'an outage',
    'U "go on" · (L) x3 · A "Here."',
    `
    0 warn rate_limited
    0 clear success`,
    only('rate_limited'),
  );

  story('healthy twin: the second try is answered', '(L · A "Here.") x5', '', only('rate_limited'));
});

describe('hints', () => {
  story(
    'an edit of a file that was never read',
    'U "fix it" · E price.ts · R price.ts',
    `
    1 warn premature_action
    2 clear tool_call`,
    only('premature_action'),
  );

  story('healthy twin: read first', 'U "fix it" · R price.ts · E price.ts', '', only('premature_action'));

  story(
    'healthy twin: running a file is no edit',
    'U "fix it" · B "python scripts/migrate.py --all" · B "./scripts/test.sh"',
    '',
    only('premature_action'),
  );

  story(
    'what the notes list as failed',
    'U "Already tried: `make all`." · B "make all" fail:no_rule · B "make all" fail:no_rule',
    `
    1 warn context_pollution
    2 stuck context_pollution`,
    only('context_pollution'),
  );

  story(
    'healthy twin: another approach',
    'U "Already tried: `make all`." · B "cmake ." fail:no_file',
    '',
    only('context_pollution'),
  );
});

describe('quality gates', () => {
  const blocked = 'F "Completion Blocked: tests failed, 2 failing"';

  story(
    'it says three times that it is done, and the tests disagree',
    `E a · D · ${blocked} · E a · D · ${blocked} · E a · D · ${blocked} · U "stop"`,
    `
    1 warn gate_blocked
    3 stuck gate_blocked
    3 clear user_message`,
    only('gate_blocked'),
  );

  story(
    'the gate passes in the end',
    `E a · D · ${blocked} · E a · D · F "All quality gates passed"`,
    `
    1 warn gate_blocked
    2 clear gates_passed`,
    only('gate_blocked'),
  );

  story('healthy twin: the gates fail before it claims anything', `(E a · ${blocked}) x4`, '', only('gate_blocked'));
});

describe('large results', () => {
  story(
    'a result that fills the context, and small ones after it',
    'B "cat all.log" ok:%L · (R a%n) x12',
    `
    1 warn oversized_response
    13 clear not_back`,
    only('oversized_response'),
  );

  story('healthy twin: many results of ordinary size', '(R a%n) x30', '', only('oversized_response'));
});

describe('continuing without data', () => {
  const missing = 'B "cat data/prices.csv" fail:cat:_data/prices.csv:_No_such_file_or_directory';

  story(
    'the data file is missing, so it writes one',
    `U "sum up the prices" · ${missing} · E data/prices.csv · (R a%n) x12`,
    `
    2 warn over_helpfulness
    14 clear not_back`,
    only('over_helpfulness'),
  );

  story(
    'healthy twin: it says what is missing',
    `U "sum up the prices" · ${missing} · ?`,
    '',
    only('over_helpfulness'),
  );

  story(
    'healthy twin: the person asked for the file',
    `U "write data/prices.csv with the three prices" · ${missing} · E data/prices.csv`,
    '',
    only('over_helpfulness'),
  );

  story(
    'healthy twin: it is there to write the missing code',
    'U "sum up the prices" · B "cat src/prices.ts" fail:cat:_src/prices.ts:_No_such_file_or_directory · E src/prices.ts',
    '',
    only('over_helpfulness'),
  );
});
