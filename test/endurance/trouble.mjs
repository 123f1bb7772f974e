/**
 * What goes wrong with an agent on purpose, and which rules must report it, each once. Those without a rule come close to one, or are cases that no
 * rule may report.
 *
 * @typedef {{ step: import('./work.mjs').Step } | { wait: number } | { pending: import('./work.mjs').Step, wait: number }
 *   | { say: string } | { prompt: string } | { answer: string } | { outage: number } | { tear: import('./work.mjs').Step }
 *   | { file: 'truncate' | 'rotate' | 'delete' }} Action `wait`: seconds
 * @typedef {{ rules: string[], actions: (number: number) => Action[], agents?: string[] }} Trouble `number`: its own among all sessions
 */
import { failing, passing } from './work.mjs';

/** @type {(number: number) => Action[]} */
const loop = (number) => {
  const file = `tests/test_total_${number}.py`;
  return Array.from({ length: 6 }, () => ({ step: failing(file, `total_${number}`, 5 + number, 6 + number) }));
};

/** @type {(number: number) => Action[]} */
const mended = (number) => [
  {
    step: {
      tool: 'Write',
      path: `src/total_${number}.py`,
      text: `def total_${number}(items):\n    return ${number}\n`,
    },
  },
  { step: passing(`tests/test_total_${number}.py`, 2 + (number % 7)) },
];

/** @type {Record<string, Trouble>} */
export const TROUBLES = {
  loop: { rules: ['repeating_action'], actions: (number) => [...loop(number), ...mended(number)] },
  // The same twice is not a loop yet.
  'near miss': { rules: [], actions: (number) => [...loop(number).slice(0, 2), ...mended(number)] },
  'edits that change nothing': {
    rules: ['repeating_outcome'],
    actions: (number) => [
      ...Array.from({ length: 6 }, (_, turn) => [
        {
          step: {
            tool: 'Write',
            path: `src/try_${number}.py`,
            text: `def total():\n    return ${number * 100 + turn}\n`,
          },
        },
        { step: failing(`tests/test_try_${number}.py`, `try_${number}`, 5, 6) },
      ]).flat(),
      {
        step: { tool: 'Write', path: `src/try_${number}.py`, text: `def total():\n    return ${number * 100 + 99}\n` },
      },
      { step: passing(`tests/test_try_${number}.py`, 3) },
    ],
  },
  'waits for permission': {
    rules: [],
    agents: ['claude-code'],
    actions: (number) => [
      { pending: { tool: 'Write', path: `src/leave_${number}.py`, text: `LEAVE = ${number}\n` }, wait: 40 },
    ],
  },
  'two failures by turns': {
    rules: ['action_error_alternation'],
    actions: (number) => [
      ...Array.from({ length: 4 }, () => [
        { step: failing(`tests/test_left_${number}.py`, `left_${number}`, 1, 2) },
        { step: failing(`tests/test_right_${number}.py`, `right_${number}`, 3, 4) },
      ]).flat(),
      { step: { tool: 'Write', path: `src/both_${number}.py`, text: `BOTH = ${number}\n` } },
      { step: passing(`tests/test_left_${number}.py`, 1) },
      { step: passing(`tests/test_right_${number}.py`, 2) },
    ],
  },
  // The transcript disappears while its incident is open: reported once, and not again.
  'deleted in a loop': {
    rules: ['repeating_action'],
    actions: (number) => [...loop(number), { wait: 2 }, { file: 'delete' }],
  },
  // Checks a job's progress eight times: a wait needs ten checks and two minutes.
  'polls a job': {
    rules: [],
    actions: (number) =>
      Array.from({ length: 8 }, () => ({
        step: { tool: 'Bash', command: `sleep 1; tail -1 build_${number}.log`, output: `building part ${number}` },
      })),
  },
  'the same words': {
    rules: ['monologue'],
    agents: ['claude-code'],
    actions: (number) =>
      Array.from({ length: 3 }, () => [
        { answer: `I will begin with part ${number} of the plan: first the service layer, then the tests.` },
        { prompt: 'Continue.' },
      ]).flat(),
  },
  // Nothing of the old generation may count in the new one, whose loop is a separate one.
  'truncated, then a loop': {
    rules: ['repeating_action'],
    agents: ['claude-code'],
    actions: (number) => [
      ...loop(number).slice(0, 2),
      { wait: 2 },
      { file: 'truncate' },
      ...loop(number).slice(0, 2),
      ...mended(number),
      ...loop(number + 10_000),
      ...mended(number + 10_000),
    ],
  },
  'rotated in a loop': {
    rules: ['repeating_action'],
    agents: ['claude-code'],
    actions: (number) => [
      ...loop(number),
      { wait: 2 },
      { file: 'rotate' },
      ...loop(number).slice(0, 2),
      ...mended(number),
    ],
  },
  'an overloaded service': {
    rules: ['rate_limited'],
    agents: ['claude-code'],
    actions: () => [{ outage: 4 }, { wait: 1 }],
  },
  // Half a call without the end of its line; the agent's next run writes after it.
  'dies within a line': {
    rules: [],
    agents: ['claude-code'],
    actions: (number) => [
      { tear: failing(`tests/test_torn_${number}.py`, `torn_${number}`, 1, 2) },
      { wait: 3 },
      { prompt: 'Go on with the tests where you were.' },
      ...mended(number),
    ],
  },
};

/** Nothing is written for longer than the patience for the model, in runs that are long enough for it. */
export const SILENCE = { rules: ['stall'], actions: () => [{ wait: 700 }] };
