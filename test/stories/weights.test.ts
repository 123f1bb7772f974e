import { describe } from 'vitest';
import { story } from './story';

describe('waits', () => {
  story(
    'a supervisor waits an hour for a worker that has news now and then',
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
    'the same sixty answers, requested within a minute, are no alarm yet',
    '(M wait:wait_agent {"id":"w","timeout_ms":60000} ok:running) x60',
    '',
  );

  story('a pause of a Windows shell is a sleep', '(B "timeout /t 30 /nobreak >nul" ok: · +30s) x12', '');
  story('so is a ping of localhost', '(B "ping -n 31 127.0.0.1 >nul" ok: · +30s) x12', '');
  story(
    'twin: it pings another machine',
    '(B "ping -n 1 10.0.0.7 >nul" ok: · +30s) x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'a pipeline that is polled, and says the same, needs as many as any wait',
    '(B "az pipelines runs show --id 123" ok:"Run 123  web  main" · +30s) x22',
    `
    10 warn repeating_action
    20 stuck repeating_action`,
  );
  story(
    'twin: it starts the pipeline each time',
    '(B "az pipelines run --id 123" ok:"Run 123  web  main" · +30s) x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'sleeps with something new in between',
    '(B "sleep 60" ok: · +60s · B "tail -1 train.log" ok:"epoch %n") x25',
    '',
  );

  story(
    'sleeps with the same in between, for longer than was requested',
    '(B "sleep 60" ok: · +60s · B "tail -1 train.log" ok:"epoch 4") x25',
    `
    20 warn repeating_action
    40 stuck repeating_action`,
  );

  story(
    'a command that fails after a sleep is that command, not a wait',
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

describe('a command that continues in the background', () => {
  story('is polled again and again', '(B "python train.py" running:epoch_4) x8', '');

  story(
    'twin: it ends each time, and says the same',
    '(B "python train.py" ok:epoch_4) x8',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
});

describe('a call that is not allowed', () => {
  story('a person refuses it each time', '(B "rm -rf build" refused:) x8', '');
  story('our own hook refuses it each time', '(B "make" held:) x8', '');
});

describe('a refused connection', () => {
  story(
    'twin: nothing was started, so it is a failure',
    '(B "curl -s localhost:3000" fail:"curl: Failed to connect to localhost port 3000: Connection refused" · B "sleep 2" ok: ) x4',
    `
    5 warn repeating_action
    7 stuck repeating_action`,
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
    'a check in between that says something new',
    '(R notes.md · B "pytest -q" fail:"FAILED a.py::b%n - boom%l1 failed in 1s") x8',
    '',
  );

  story('a prompt in between that adds something', '(B "git status" ok:clean · U "and after part_%n?") x8', '');

  story(
    'a question in between, which justifies one look',
    'U "is it clean?" · (B "git status" ok:clean · U "and now?") x8',
    '',
  );

  story(
    'prompts in between that add nothing justify one repeat more each, two at most',
    'U "is it clean?" · (B "git status" ok:clean · U "go on") x8',
    `
    5 warn repeating_action
    6 stuck repeating_action`,
  );

  story(
    'a sweep over different targets that finds nothing',
    '(G word%n) x22',
    `
    12 warn repeating_outcome/no_effect
    20 stuck repeating_outcome/no_effect`,
  );

  story('healthy twin: a sweep that finds something', '(G word%n ok:hit_%n) x22', '');

  story(
    'the same look with only looks in between',
    '(B "cat notes.txt" ok:"built without warnings" · R a%n) x4',
    `
    5 warn repeating_outcome
    7 stuck repeating_outcome`,
  );

  story('git status between edits', '(B "git status" ok:"nothing to commit" · E a%n.py · B "git add -A" ok: ) x8', '');

  for (const command of ['jj status', 'hg status']) {
    story(`${command} between edits`, `(B "${command}" ok:"no changes" · E a%n.py) x8`, '');

    story(
      `twin: ${command} between looks`,
      `(B "${command}" ok:"no changes" · R a%n) x4`,
      `
      5 warn repeating_outcome
      7 stuck repeating_outcome`,
    );
  }

  story(
    'forty equal looks warn, whatever lies between them',
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

describe('a person who interrupts', () => {
  story('is not a failure of the call', '(I "npm run dev") x8', '');

  story(
    'twin: the call fails on its own',
    '(B "npm run dev" fail:"error: port is taken") x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );
});

describe('changes', () => {
  story('edits that are confirmed in the same words', '(E a.py) x12', '');

  story(
    'the same content written again and again',
    '(E a.py =x) x4',
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story('a passing check after each new edit', '(E a.py · B "npm test" ok:"Tests: 4 passed, 4 total") x10', '');
});

describe('a schedule that the person set up', () => {
  const check = 'B "npm run smoke" fail:"smoke: 2 pages do not answer"';

  story(
    'asks the same nine times, and nothing has changed',
    `U "/loop 10m npm run smoke" · ${check} · . · (+600s · S "npm run smoke" · ${check} · .) x8`,
    '',
  );

  story(
    'asks for three steps each time',
    `U "/loop 10m look" · (+600s · S "look" · R a.log · B "make status" fail:down · ${check} · .) x9`,
    '',
  );

  story(
    'twin: a person asks, and the words add nothing',
    `U "npm run smoke" · ${check} · . · (+600s · U "continue" · ${check} · .) x9`,
    `
    5 warn repeating_action
    6 stuck repeating_action`,
  );

  story(
    'twin: the agent repeats it within one turn',
    `U "/loop 10m npm run smoke" · ${check} · . · +600s · S "npm run smoke" · ${check} · ${check} · ${check} · ${check}`,
    `
    3 warn repeating_action
    4 stuck repeating_action`,
  );

  story(
    'twin: nothing has changed after many turns',
    `U "/loop 10m npm run smoke" · ${check} · . · (+600s · S "npm run smoke" · ${check} · .) x24`,
    `
    10 warn repeating_action
    20 stuck repeating_action`,
  );
});
