import { describe } from 'vitest';
import { story } from './story';

describe('waits', () => {
  story(
    'a supervisor waits an hour for a worker that brings news now and then',
    '((W running · +25s) x5 · W finished_part_%n · +25s) x24',
    '',
  );

  story(
    'a supervisor polls a worker that says the same sixty times',
    '(W running · +25s) x60',
    `
    10 warn repeating_action
    20 stuck repeating_action`,
  );

  story(
    'a command that fails behind a sleep is that command, no wait',
    '(B "sleep 1; npm test" fail:"FAIL src/a.test.js%l  ● adds%l    expected 3, received 4%lTests: 1 failed, 3 passed, 4 total") x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'a service that was just started refuses its first connections',
    'B "node server.js &" ok:started · (B "curl -s localhost:3000" fail:"curl: Failed to connect to localhost port 3000: Connection refused" · B "sleep 2" ok: ) x5',
    '',
  );
});

describe('looks', () => {
  story(
    'a read of the same log through twelve edits',
    '(E a%n.py · B "cat build.log" ok:"built without warnings") x12',
    '',
  );

  story(
    'a read of the same file through twelve edits',
    '(E a%n.py · B "cat notes.txt" ok:"built without warnings") x12',
    '',
  );

  story(
    'the same look with nothing but looks between',
    '(B "cat notes.txt" ok:"built without warnings" · R a%n) x4',
    `
    5 warn repeating_outcome
    7 stuck repeating_outcome`,
  );

  story('git status between edits', '(B "git status" ok:"nothing to commit" · E a%n.py · B "git add -A" ok: ) x8', '');

  story(
    'forty equal looks warn, whatever lies between',
    '(B "git status" ok:"nothing to commit" · E a%n.py · B "git add -A" ok: ) x42',
    `
    118 warn repeating_outcome`,
  );

  story(
    'a look that fails is a failing call',
    '(R x%n · B "cat missing.txt" fail:"cat: missing.txt: No such file or directory") x4',
    `
    6 warn repeating_outcome
    8 stuck repeating_outcome`,
  );
});

describe('changes', () => {
  story('edits that are confirmed the same way', '(E a.py) x12', '');

  story(
    'the same content written again and again',
    '(E a.py =x) x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story('a passing check after each new edit', '(E a.py · B "npm test" ok:"Tests: 4 passed, 4 total") x10', '');
});
