/**
 * Work of a healthy agent, one task after the other, modelled on the recorded run of fifteen steps: it looks, sees a test fail, edits, sees it pass,
 * adds a file with a test, and commits. Names, values and lengths differ each time.
 */
import { pick } from './random.mjs';

/**
 * @typedef {{ tool: 'Bash', command: string, output: string, failed?: boolean } | { tool: 'Read', path: string, output: string }
 *   | { tool: 'Edit', path: string, before: string, after: string } | { tool: 'Write', path: string, text: string }} Step
 */

const NOUNS = ['price', 'order', 'invoice', 'basket', 'stock', 'customer', 'refund', 'coupon', 'parcel', 'ledger'];
const VERBS = ['sum', 'merge', 'sort', 'split', 'round', 'filter', 'group', 'index', 'parse', 'format'];

/**
 * The steps of one task.
 *
 * @param {() => number} random
 * @param {number} number of the task within the session: no two tasks work on the same function
 * @returns {{ task: string, steps: Step[], answer: string }}
 */
export function taskOf(random, number) {
  const noun = pick(random, NOUNS);
  const verb = pick(random, VERBS);
  const name = `${verb}_${noun}_${number}`;
  const module = `src/${noun}_${number}.py`;
  const test = `tests/test_${noun}_${number}.py`;
  const wrong = Math.floor(random() * 90) + 10;
  const right = wrong + 1 + Math.floor(random() * 9);
  const head = digits(random, 7);
  const source = sourceOf(random, name);
  /** @type {Step[]} */
  const steps = [
    {
      tool: 'Bash',
      command: 'git log --oneline | head -3 && ls src',
      output: `${head} Task ${number - 1}\n${listing(random)}`,
    },
    { tool: 'Read', path: module, output: source },
    {
      tool: 'Read',
      path: test,
      output: `from ${noun}_${number} import ${name}\n\n\ndef test_${name}():\n    assert ${name}([${wrong}]) == ${right}\n`,
    },
    failing(test, name, wrong, right),
    {
      tool: 'Edit',
      path: module,
      before: `    return total - ${number}`,
      after: `    return total + ${right - wrong}`,
    },
    passing(test, 1 + Math.floor(random() * 5)),
    {
      tool: 'Bash',
      command: `grep -rn "${name}" src tests`,
      output: `${module}:3:def ${name}(items):\n${test}:1:from ${noun}_${number} import ${name}`,
    },
    { tool: 'Write', path: `src/${name}_report.py`, text: sourceOf(random, `${name}_report`) },
    {
      tool: 'Write',
      path: `tests/test_${name}_report.py`,
      text: `def test_${name}_report():\n    assert report(${right}) == "${right}"\n`,
    },
    failing(`tests/test_${name}_report.py`, `${name}_report`, right, right + 1),
    { tool: 'Read', path: `src/${name}_report.py`, output: sourceOf(random, `${name}_report`) },
    { tool: 'Edit', path: `src/${name}_report.py`, before: '    rows = []', after: `    rows = [${right}]` },
    passing(`tests/test_${name}_report.py`, 6 + Math.floor(random() * 5)),
    {
      tool: 'Bash',
      command: 'npm run --silent lint',
      output: `${40 + number} files checked, ${Math.floor(random() * 90)} ms`,
    },
    {
      tool: 'Bash',
      command: `git add -A && git commit -qm "Mend ${name}" && git log --oneline | head -1`,
      output: `${digits(random, 7)} Mend ${name}`,
    },
  ];
  return {
    task: `Mend ${name}() so that its test passes, add a report with a test, commit.`,
    steps: steps.filter(
      (step, index) => index < 5 || step.tool !== 'Bash' || /pytest|commit/.test(step.command) || random() < 0.7,
    ),
    answer: `${name}() is mended, its report is added with a test, and the change is committed.`,
  };
}

/** @param {string} file @param {string} name @param {number} got @param {number} wanted @returns {Step} as pytest prints it */
export function failing(file, name, got, wanted) {
  const output = `Exit code 1
F                                                                        [100%]
=================================== FAILURES ===================================
__________________________________ test_${name} __________________________________
${file}:5: in test_${name}
    assert ${name}([${got}]) == ${wanted}
E   assert ${got} == ${wanted}
=========================== short test summary info ============================
FAILED ${file}::test_${name} - assert ${got} == ${wanted}
1 failed in 0.14s`;
  return { tool: 'Bash', command: `pytest -q --tb=short ${file}`, output, failed: true };
}

/** @param {string} file @param {number} count @returns {Step} */
export function passing(file, count) {
  const output = `${'.'.repeat(count)}${' '.repeat(73 - count)}[100%]\n${count} passed in 0.1${count % 10}s`;
  return { tool: 'Bash', command: `pytest -q --tb=short ${file}`, output };
}

/** A module of one to four kilobytes. */
function sourceOf(random, name) {
  const lines = [`"""${name}: written by an agent."""`, '', `def ${name}(items):`, '    total = 0', '    rows = []'];
  const count = 15 + Math.floor(random() * 60);
  for (let line = 0; line < count; line++)
    lines.push(
      `    rows.append((${Math.floor(random() * 1e6)}, "${pick(random, NOUNS)}", ${line}))  # ${pick(random, VERBS)}`,
    );
  return `${lines.join('\n')}\n    return total\n`;
}

function listing(random) {
  return Array.from({ length: 6 }, () => `${pick(random, NOUNS)}_${Math.floor(random() * 1000)}.py`).join('\n');
}

function digits(random, length) {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}
