/**
 * Thirty minutes of ten agents, second by second. This file contains only what the agents do; `truth.mjs` says what is true of them at each minute.
 *
 * Eight write as Claude Code does, with its registry and a living process each; two as Codex.
 */
import { claudeCode } from './agents/claude-code.mjs';
import { codex } from './agents/codex.mjs';
import { clockOf } from './freed.mjs';
import { MINUTES, TRUTH } from './truth.mjs';

const STEP_SECONDS = 20;
const END = MINUTES * 60;
/** The first of many steps in a minute. Everything in a minute happens in its first 51 seconds. */
const FIRST_STEP = 10;

const CLAUDE = ['permission', 'loop', 'answer', 'dies', 'limit', 'error', 'question', 'long'];
const CODEX = ['plan', 'healthy'];

/**
 * @param {object} options
 * @param {string} options.home
 * @param {string} options.workspace
 * @param {number} options.start when the scene begins, milliseconds since the epoch
 * @param {() => number} options.now
 */
export function createScene({ home, workspace, start, now }) {
  /** Events, with the second in which they happen. @type {{ second: number, act: () => void }[]} */
  const acts = [];
  const on = (/** @type {number} */ minute, /** @type {number} */ seconds, /** @type {() => void} */ act) =>
    acts.push({ second: minute * 60 + seconds, act });
  const made = (/** @type {string} */ name, /** @type {number} */ number) =>
    CLAUDE.includes(name) ? claudeCode({ home, workspace, number, now }) : codex({ home, workspace, number, now });
  const agents = Object.fromEntries([...CLAUDE, ...CODEX].map((name, index) => [name, made(name, index + 1)]));
  const claude = (/** @type {string} */ name) => /** @type {ReturnType<typeof claudeCode>} */ (agents[name]);
  const openai = (/** @type {string} */ name) => /** @type {ReturnType<typeof codex>} */ (agents[name]);
  const taskOf = (/** @type {string} */ name) => TRUTH[name]?.task ?? '';

  let files = 0;
  const step = (/** @type {string} */ name) => {
    const path = `src/part-${++files}.ts`;
    const text = `export const part${files} = ${files * 7919};`;
    if (CODEX.includes(name)) {
      openai(name).call(`cat ${path}`);
      openai(name).result(`cat ${path}`, text);
    } else {
      claude(name).call('Bash', { command: `cat ${path}` });
      claude(name).result(text);
    }
  };
  /** A new step with a new result each 20 s between two moments, in seconds. */
  const works = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => {
    for (let second = from; second < to; second += STEP_SECONDS) acts.push({ second, act: () => step(name) });
  };
  const begins = (/** @type {string} */ name, /** @type {number} */ to) => {
    on(0, 5, () => agents[name]?.prompt(taskOf(name)));
    works(name, FIRST_STEP, to);
  };
  const fails = (/** @type {string} */ name, /** @type {string} */ command, /** @type {string} */ result) => {
    claude(name).call('Bash', { command });
    claude(name).result(result, true);
  };

  // Asks for permission, and no one looks for 20 minutes.
  begins('permission', 2 * 60);
  on(2, 20, () => {
    claude('permission').call('Bash', { command: 'psql -f migrations/0042_rename.sql' });
    claude('permission').waitsFor('permission prompt');
  });
  on(22, 20, () => claude('permission').result('ALTER TABLE'));
  works('permission', 22 * 60 + 30, 27 * 60);
  on(27, 20, () => claude('permission').answer('The billing tables have their new names.'));

  // 25 rounds of the same failing test; then it repairs the sum, and continues.
  begins('loop', 2 * 60);
  for (let round = 0; round < 25; round++) {
    const second = 2 * 60 + FIRST_STEP + round * STEP_SECONDS;
    acts.push({
      second,
      act: () => fails('loop', 'pytest -q tests/test_total.py', 'E   assert 5 == 6\n1 failed in 0.10s'),
    });
  }
  on(10, 30, () => {
    claude('loop').call('Edit', { file_path: `${workspace}/total.py`, old_string: '5', new_string: '6' });
    claude('loop').result('The file total.py has been updated successfully.');
  });
  on(10, 40, () => {
    claude('loop').call('Bash', { command: 'pytest -q tests/test_total.py' });
    claude('loop').result('1 passed in 0.10s');
  });
  works('loop', 10 * 60 + 50, END);

  // Six rounds, then an answer: it is the person's turn. The person comes back after 14 minutes.
  begins('answer', 3 * 60);
  for (let round = 0; round < 6; round++) {
    const second = 3 * 60 + FIRST_STEP + round * 30;
    acts.push({
      second,
      act: () => fails('answer', 'npm run build', 'Error: getaddrinfo ENOTFOUND registry.internal'),
    });
  }
  on(6, 20, () => claude('answer').answer('I cannot build it: the registry cannot be reached from here.'));
  on(20, 20, () => claude('answer').prompt('I have started the registry. Go on.'));
  works('answer', 20 * 60 + 30, END);

  // Killed in the middle of a command.
  begins('dies', 6 * 60);
  on(6, 10, () => claude('dies').call('Bash', { command: 'npm run e2e' }));
  on(6, 20, () => claude('dies').die());

  // At its limit until minute 14; it is not continued before minute 18.
  begins('limit', 4 * 60);
  on(4, 20, () => claude('limit').limitReached(clockOf(start + 14 * 60_000)));
  on(18, 20, () => claude('limit').prompt('Continue.'));
  works('limit', 18 * 60 + 30, END);

  // The service gave up.
  begins('error', 5 * 60);
  on(5, 20, () => claude('error').fails('529 Overloaded', 529));
  on(16, 20, () => claude('error').prompt('Continue.'));
  works('error', 16 * 60 + 30, END);

  begins('question', 3 * 60);
  on(3, 20, () => {
    const question = 'Which date format should the export use?';
    const options = [{ label: 'ISO 8601' }, { label: 'Local' }];
    claude('question').call('AskUserQuestion', { questions: [{ question, header: 'Dates', options }] });
    claude('question').waitsFor('input needed');
  });
  on(12, 20, () => claude('question').result('ISO 8601'));
  works('question', 12 * 60 + 30, END);

  on(0, 5, () => openai('plan').prompt(taskOf('plan'), 'plan'));
  works('plan', FIRST_STEP, 7 * 60);
  on(7, 20, () =>
    openai('plan').answer(
      '<proposed_plan>\n1. Add the client\n2. Move the calls\n3. Remove the old one\n</proposed_plan>',
    ),
  );
  on(19, 20, () => openai('plan').prompt('Implement the plan.'));
  works('plan', 19 * 60 + 30, END);

  // Nothing is wrong with these two.
  begins('healthy', 24 * 60);
  on(24, 20, () => openai('healthy').answer('The parser has 31 tests now, and all pass.'));
  begins('long', 8 * 60);
  on(8, 20, () => claude('long').call('Bash', { command: 'npm run test:all' }));
  on(17, 20, () => claude('long').result('412 passed'));
  works('long', 17 * 60 + 30, END);

  acts.sort((a, b) => a.second - b.second);
  let next = 0;
  return {
    agents,
    /** Plays everything up to this second. */
    playTo: (/** @type {number} */ second) => {
      for (; next < acts.length && (acts[next]?.second ?? 0) <= second; next++) acts[next]?.act();
    },
    end: () => {
      for (const agent of Object.values(agents)) agent.end();
    },
  };
}
