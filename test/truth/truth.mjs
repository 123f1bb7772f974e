/**
 * The truth about the ten agents at each full minute. It was written from `scene.mjs` alone: from what the agents do, not from what the product
 * makes of it. A change of the product is no reason to change this table; a change of the scene is.
 *
 * Each line applies from its minute on, until the next line of that agent. Things happen at 20 s past the minute, and the surfaces are read at the
 * full minute, so a line begins with the minute after its event.
 *
 * @typedef {'working' | 'stuck' | 'permission' | 'question' | 'plan' | 'limit' | 'limit_open' | 'error' | 'turn_end' | 'died'} State
 *
 * @typedef {object} Line
 * @property {number} from minute
 * @property {State | State[]} is more than one if a person who looks at the scene could say either
 * @property {number} [since] seconds from the start of the scene; absent if there is no single moment
 * @property {number} [latest] the last second that a person could call the beginning, if that is not one moment: the fourth round
 * @property {string} [wants] what the agent asks for, or what stopped it
 * @property {string} [busyWith] the call that it runs
 * @property {number} [until] when a limit opens, seconds from the start of the scene
 *
 * @typedef {object} Truth
 * @property {string} task the prompt, which is the agent's name on every surface
 * @property {Line[]} lines
 * @property {Record<number, number>} [rounds] how often it has repeated its call, by minute
 * @property {number} alarms how many of its incidents are in the history at the end: each loop is one
 */
const at = (/** @type {number} */ minute, seconds = 20) => minute * 60 + seconds;

/** @type {Record<string, Truth>} */
export const TRUTH = {
  permission: {
    task: 'Rename the billing tables',
    lines: [
      { from: 1, is: 'working' },
      { from: 3, is: 'permission', since: at(2), wants: 'psql -f migrations/0042_rename.sql' },
      { from: 23, is: 'working' },
      { from: 28, is: 'turn_end', since: at(27) },
    ],
    alarms: 0,
  },
  loop: {
    task: 'Fix the total of an invoice',
    lines: [
      { from: 1, is: 'working' },
      // The third round ends at 2:51: a person may call it either.
      { from: 3, is: ['working', 'stuck'], wants: 'pytest -q tests/test_total.py' },
      { from: 4, is: 'stuck', since: at(2, 10), latest: at(3, 10), wants: 'pytest -q tests/test_total.py' },
      // The 25th round ends at 10:11. It edits the file, the test passes at 10:40, and it continues.
      { from: 11, is: 'working' },
    ],
    rounds: { 4: 6, 5: 9, 6: 12, 7: 15, 8: 18, 9: 21, 10: 24 },
    alarms: 1,
  },
  answer: {
    task: 'Make the build work offline',
    lines: [
      { from: 1, is: 'working' },
      { from: 4, is: ['working', 'stuck'], wants: 'npm run build' },
      { from: 5, is: ['working', 'stuck'], wants: 'npm run build' },
      { from: 6, is: 'stuck', since: at(3, 10), latest: at(4, 40), wants: 'npm run build' },
      // It gives up with an answer: it is the person's turn, and it is no longer stuck.
      { from: 7, is: 'turn_end', since: at(6) },
      { from: 21, is: 'working' },
    ],
    rounds: { 4: 2, 5: 4, 6: 6 },
    alarms: 1,
  },
  dies: {
    task: 'Split the checkout module',
    lines: [
      { from: 1, is: 'working' },
      { from: 7, is: 'died', since: at(6) },
    ],
    alarms: 0,
  },
  limit: {
    task: 'Port the date parser',
    lines: [
      { from: 1, is: 'working' },
      { from: 5, is: 'limit', since: at(4), until: at(14, 0) },
      { from: 14, is: ['limit', 'limit_open'], until: at(14, 0) },
      { from: 15, is: 'limit_open', until: at(14, 0) },
      { from: 19, is: 'working' },
    ],
    alarms: 0,
  },
  error: {
    task: 'Translate the error messages',
    lines: [
      { from: 1, is: 'working' },
      { from: 6, is: 'error', since: at(5), wants: '529 Overloaded' },
      { from: 17, is: 'working' },
    ],
    alarms: 0,
  },
  question: {
    task: 'Export the orders as CSV',
    lines: [
      { from: 1, is: 'working' },
      { from: 4, is: 'question', since: at(3), wants: 'Which date format should the export use?' },
      { from: 13, is: 'working' },
    ],
    alarms: 0,
  },
  plan: {
    task: 'Move to the new HTTP client',
    lines: [
      { from: 1, is: 'working' },
      { from: 8, is: 'plan', since: at(7), wants: 'Add the client' },
      { from: 20, is: 'working' },
    ],
    alarms: 0,
  },
  healthy: {
    task: 'Write tests for the template parser',
    lines: [
      { from: 1, is: 'working' },
      { from: 25, is: 'turn_end', since: at(24) },
    ],
    alarms: 0,
  },
  long: {
    task: 'Bump the base image',
    lines: [
      { from: 1, is: 'working' },
      // One command of nine minutes, which prints nothing in the meantime. Its process lives, so no one has to do anything.
      { from: 9, is: 'working', since: at(8), busyWith: 'npm run test:all' },
      { from: 18, is: 'working' },
    ],
    alarms: 0,
  },
};

export const MINUTES = 30;

/** Returns what is true of an agent at a full minute. @returns {Line} */
export function truthAt(/** @type {string} */ agent, /** @type {number} */ minute) {
  const line = TRUTH[agent]?.lines.findLast(({ from }) => from <= minute);
  if (line === undefined) throw new Error(`nothing is known of ${agent} at minute ${minute}`);
  return line;
}
