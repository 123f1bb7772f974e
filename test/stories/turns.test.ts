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
    'an action, and an error that is no result of a call',
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

  story('a cycle of waits that advance', '(W part_%n · B "sleep 5" ok:slept) x12', '');

  story(
    'it ends when one of them gives a new result',
    '(R a · R b) x4 · E a · R a',
    `
    4 warn cycle
    6 stuck cycle
    9 clear progress`,
  );
});

describe('failures', () => {
  story(
    'failures in a row that come back to three errors',
    'R a · (B "one %n" fail:"error: alpha broke" · M two fail:"error: beta broke" · B "three %n" fail:"error: gamma broke") x3',
    `
    7 warn consecutive_failures
    9 stuck consecutive_failures`,
  );

  story(
    'healthy twin: one of them succeeds',
    'B "one" fail:alpha_error · M two fail:beta_error · B "three" fail:gamma_error · R a · B "five" fail:epsilon_error · B "six" fail:zeta_error',
    '',
  );

  story(
    'a success ends it',
    '(M one {"n":%n} fail:error:_alpha_broke) x4 · R a',
    `
    4 warn consecutive_failures
    5 clear success`,
  );

  story(
    'the same error with other arguments, reading in between',
    '(R file%n · B "deploy --try %n" fail:Error:_no_credentials_for_this_account) x5',
    `
    8 warn consecutive_failures/same_error
    10 stuck consecutive_failures/same_error`,
  );

  story(
    'one program after another that is not there: a look at what the machine has',
    'B "killall apt" fail:sh:_1:_killall:_not_found · B "wget -q x" fail:sh:_1:_wget:_not_found · B "curl -O x" fail:curl:_command_not_found · B "aria2c x" fail:zsh:_command_not_found:_aria2c · B "axel x" fail:axel:_not_found',
    '',
  );
  story(
    'eight failures in a row, each with another error: a search, which only warns',
    '(B "try %n" fail:"error: part %n broke") x10',
    `
    8 warn consecutive_failures`,
  );
  story('a sweep: one program on six wrong inputs', '(B "validator input%n.yml" fail:input_is_wrong_in_way_%n) x6', '');

  story('a search that finds nothing is no failure', '(B "grep -rn word%n src" fail: ) x6', '');
});

describe('one loop, one incident', () => {
  story(
    'the rule that says what repeats speaks, not the one that only counts failures',
    'B "a" fail:alpha_error · B "b" fail:beta_error · M c fail:gamma_error · (M d fail:delta_error) x4',
    `
    6 warn repeating_action
    7 stuck repeating_action`,
  );

  story(
    'a graver rule takes over the streak that another one warned of',
    '(R a · R b) x2 · (R a) x3',
    `
    4 warn cycle
    6 stuck repeating_outcome`,
  );

  story(
    'of two rules that see it at once the first in the table speaks',
    '(B "make" fail:"error: alpha broke") x5',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
});
