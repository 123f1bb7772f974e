/** Agents that write as Claude Code does, step by step as a test demands. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {{ home: string, workspace: string, session: string, task: string, now?: () => number }} options now: the agent's own clock,
 *   milliseconds since the epoch
 */
export function createAgent({ home, workspace, session, task, now = Date.now }) {
  const file = join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);
  let calls = 0;
  const line = (/** @type {object} */ record) =>
    `${JSON.stringify({ sessionId: session, cwd: workspace, timestamp: new Date(now()).toISOString(), ...record })}\n`;
  const append = (/** @type {string} */ text) => {
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.appendFileSync(file, text);
  };
  const callLine = (/** @type {string} */ id, /** @type {string} */ command) =>
    line({
      type: 'assistant',
      uuid: `a-${id}`,
      message: {
        id: `msg_${id}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }],
        usage: { input_tokens: 100, output_tokens: 10 },
      },
    });
  const resultLine = (/** @type {string} */ id, /** @type {string} */ content, /** @type {boolean} */ failed) =>
    line({
      type: 'user',
      uuid: `r-${id}`,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }] },
    });
  const step = (/** @type {string} */ command, /** @type {string} */ output, failed = false) => {
    const id = `${session.slice(-4)}_${calls++}`;
    append(callLine(id, command));
    append(resultLine(id, output, failed));
  };
  append(line({ type: 'user', uuid: `u-${session}`, message: { role: 'user', content: task } }));

  return {
    file,
    session,
    task,
    step,
    /** The same failing test, over and over: stuck, with one incident. */
    loop: (times = 6) => {
      for (let time = 0; time < times; time++)
        step(
          'pytest -q tests/test_total.py',
          'E   assert 5 == 6\nFAILED tests/test_total.py::test_total\n1 failed in 0.1s',
          true,
        );
    },
    /** Makes progress: each step is a new one, with a new result. */
    work: (times = 6) => {
      for (let time = 0; time < times; time++) step(`cat src/part${calls}.py`, `VALUE_${calls} = ${calls * 7919}\n`);
    },
    /** Dies while it writes: only the first half of a call is there, without the end of the line. */
    dieWithinALine: () => {
      const text = callLine(`${session.slice(-4)}_${calls++}`, 'pytest -q tests/test_total.py');
      append(text.slice(0, text.length / 2));
    },
  };
}

/**
 * The row of an agent in the list of agents; its incidents have rows of their own in another list.
 *
 * @param {import('../../e2e/support/workbench.mjs').Workbench} window
 * @param {string} task
 */
export const agentRow = ({ page }, task) =>
  page.locator(`.sidebar .monaco-list-row[aria-label^="${task}, "][aria-label*="Claude Code"]`).first();
