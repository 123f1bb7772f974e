import { describe } from 'vitest';
import { story } from './story';

describe('steps that take turns', () => {
  story(
    'an action and its error',
    '(E a.py =x · B "pytest -q" fail:boom) x4',
    `
    4 warn action_error_alternation
    6 stuck action_error_alternation`,
  );

  story(
    'an action, and an error that is not the result of a call',
    '(M submit ok:sent · X rejected) x3',
    `
    2 warn action_error_alternation
    3 stuck action_error_alternation`,
  );

  story('healthy twin: the error changes', '(E a.py · B "pytest -q" fail:%n_failed) x6', '');

  story(
    'two steps without an error are a cycle',
    '(R a · R b) x5',
    `
    4 warn cycle
    6 stuck cycle`,
  );

  story(
    'five steps are a cycle too, and one incident',
    '(R a · R b · R c · R d · G word ok:here) x5',
    `
    10 warn cycle
    15 stuck cycle`,
  );

  story(
    'a cycle of eleven',
    `(${'abcdefghijk'
      .split('')
      .map((name) => `R ${name}`)
      .join(' · ')}) x5`,
    `
    22 warn cycle
    33 stuck cycle`,
  );

  story('healthy twin: one of the results is new each round', '(R a · B "make" ok:step_%n · E a) x8', '');

  story('a cycle of waits that advance', '(W part_%n · B "sleep 30" ok: · +30s) x25', '');
  story(
    'twin: they make no progress',
    '(W part_4 · B "sleep 30" ok: · +30s) x25',
    `
    19 warn repeating_action
    39 stuck repeating_action`,
  );

  story(
    'it ends when one of them has a new result',
    '(R a · R b) x4 · E a · R a',
    `
    4 warn cycle
    6 stuck cycle
    9 clear progress`,
  );
});

describe('failures', () => {
  story(
    'failures in a row with only three different errors',
    'R a · (B "one %n" fail:"error: alpha broke" · M two fail:"error: beta broke" · B "three %n" fail:"error: gamma broke") x3',
    `
    7 warn consecutive_failures
    9 stuck consecutive_failures`,
  );

  story(
    'a success ends it',
    '(M one {"n":%n} fail:error:_alpha_broke) x4 · R a',
    `
    4 warn consecutive_failures
    5 clear success`,
  );

  story(
    'the same error with other arguments, with reads in between',
    '(R file%n · B "deploy --try %n" fail:Error:_no_credentials_for_this_account) x5',
    `
    8 warn consecutive_failures/same_error
    10 stuck consecutive_failures/same_error`,
  );

  story(
    'one missing program after another: a survey of what the machine has',
    'B "killall apt" fail:sh:_1:_killall:_not_found · B "wget -q x" fail:sh:_1:_wget:_not_found · B "curl -O x" fail:curl:_command_not_found · B "aria2c x" fail:zsh:_command_not_found:_aria2c · B "axel x" fail:axel:_not_found',
    '',
  );
  story(
    'eight failures in a row, each with another error: a search, which only warns',
    '(B "try %n" fail:"error: part %n broke") x10',
    `
    8 warn consecutive_failures`,
  );
  story('a sweep: one program on six wrong inputs', '(B "validator input%n.yml" fail:input_is_wrong) x6', '');
  story(
    'twin: one wrong input, tried in six ways',
    '(B "validator input.yml --try %n" fail:input_is_wrong) x6',
    `
    4 warn consecutive_failures
    5 stuck consecutive_failures`,
  );

  story(
    'two sweeps in succession: four files that one tool cannot read, then four that the next cannot',
    '(M look:read {"file_path":"data/%n.dat"} fail:this_tool_cannot_read_binary_files) x4 · (B "hexdump data/%n.dat" fail:hexdump:_command_not_found) x4',
    '',
  );

  story(
    'twin: one file, tried alternately with one tool and the other',
    '(M look:read {"file_path":"data/a.dat"} fail:this_tool_cannot_read_binary_files · B "dump data/a.dat" fail:dump:_invalid_option_--dat) x4',
    `
    4 warn action_error_alternation
    6 stuck action_error_alternation`,
  );

  const probe = (test: string): string =>
    `B "cat > probe%n.py <<EOF%lprint %n%lEOF%lpytest -q" fail:"FAILED t.py::${test} - boom%l1 failed in 1s"`;

  story(
    'a command that writes another probe and runs it is an edit and a run: two alternating failing tests are not a row',
    `(${probe('first')} · ${probe('second')}) x5`,
    '',
  );

  story(
    'twin: the same test fails, whatever it writes',
    `(${probe('first')}) x5`,
    `
    4 warn consecutive_failures
    5 stuck consecutive_failures`,
  );

  const missed = (file: string): string =>
    `M change:edit {"file_path":"${file}","old_string":"%n"} fail:String_to_replace_not_found`;
  const fitted = (file: string): string => `M change:edit {"file_path":"${file}","old_string":"%n"} ok:edited`;

  story(
    'passages of several files that do not match, with successful edits in between',
    `${missed('a.ts')} · R a.ts · ${missed('a.ts')} · R a.ts · ${fitted('b.ts')} · ${missed('b.ts')} · R b.ts · ${missed('c.ts')} · R c.ts · ${fitted('d.ts')} · ${missed('d.ts')}`,
    '',
  );

  story(
    'twin: one file never matches, whatever succeeds elsewhere',
    `(${missed('a.ts')} · R a.ts · ${fitted('b%n.ts')}) x5`,
    `
    10 warn consecutive_failures/refused_edits
    13 stuck consecutive_failures/refused_edits`,
  );

  story(
    'twin: no edit succeeds in any file',
    `${missed('a.ts')} · R a.ts · ${missed('b.ts')} · R b.ts · ${missed('a.ts')} · R c.ts · ${missed('b.ts')} · R d.ts · ${missed('a.ts')}`,
    `
    7 warn consecutive_failures/same_error
    9 stuck consecutive_failures/same_error`,
  );

  story('a search that finds nothing is not a failure', '(E a.py · B "grep -c TODO a.py" fail:0) x8', '');

  story(
    'twin: a search in a file that is not there',
    '(E a.py · B "grep -c TODO b.py" fail:"grep: b.py: No such file or directory") x4',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );

  story(
    'edits that a tool records as made, although its answer says that they were not',
    '(E a.py ok:"No replacement was performed: the old text did not appear in a.py.") x5',
    `
    4 warn consecutive_failures/refused_edits
    5 stuck consecutive_failures/refused_edits`,
  );

  story(
    'a crash without an exit code is not a success that ends the count',
    '(B "./run.sh" fail:"error: alpha broke" · B "./run.sh" crash:"  File run.py, line %n%lSyntaxError: invalid syntax") x4',
    `
    5 warn repeating_outcome
    7 stuck repeating_outcome`,
  );
});

describe('one loop, one incident', () => {
  story(
    'the rule that says what repeats reports, not the one that only counts failures',
    'B "a" fail:alpha_error · B "b" fail:beta_error · M c fail:gamma_error · (M d fail:delta_error) x4',
    `
    6 warn repeating_action
    7 stuck repeating_action`,
  );

  story(
    'a graver rule takes over the streak that another one warned about',
    '(R a · R b) x2 · (R a) x3',
    `
    4 warn cycle
    6 stuck repeating_outcome`,
  );

  story(
    'when two rules see it at once, the first in the table reports',
    '(B "make" fail:"error: alpha broke") x5',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
});
