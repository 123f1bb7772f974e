/** 200 sessions of Claude Code in 20 folders, the first of them with 100,000 steps. Free of recorded text. */
import fs from 'node:fs';
import { join } from 'node:path';

/** Sessions, folders, steps of the first and of each other session. */
const FOLDERS = 20;
const STEPS_OF_OTHERS = 120;
/** Number of sessions of each kind, by index from the first on. */
const STUCK = 9;
const ASKING = 6;
const GROWING = 20;
/** Equal results that are written at the start of the measurement, enough for each rule about repeats. */
const REPEATS = 10;
/** Approximate length of a line in characters, so that the whole is some 60 MB; real results are longer and only take longer to read. */
const RESULT = 120;

/**
 * Writes the sessions below a home, as if they had started some minutes ago.
 * @param {{ root: string, agents: number, steps: number }} options root: an empty folder; steps: of the first session
 * @returns {{ home: string, workspace: string, title: (index: number) => string, getStuck: () => void, grow: () => void }}
 */
export function writeManyAgents({ root, agents, steps }) {
  const home = join(root, 'home');
  const folders = Array.from({ length: FOLDERS }, (_, index) => join(root, `project-${index + 1}`));
  for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
  const workspace = join(root, 'many.code-workspace');
  fs.writeFileSync(workspace, JSON.stringify({ folders: folders.map((path) => ({ path })) }));
  const now = Date.now();
  const sessions = Array.from({ length: agents }, (_, index) => {
    const cwd = folders[index % FOLDERS] ?? root;
    const count = index === 0 ? steps : STEPS_OF_OTHERS;
    const session = sessionOf({ home, index, cwd });
    session.write([session.person(now - 1_500_000)]);
    for (let done = 0; done < count; done += 1_000) {
      const part = Math.min(1_000, count - done);
      const at = (/** @type {number} */ step) => now - 1_400_000 + ((done + step) / count) * 1_300_000;
      session.write(Array.from({ length: part }, (_, step) => session.work(at(step))).flat());
    }
    if (index >= STUCK + ASKING + GROWING) session.write([session.end(now - 60_000)]);
    return session;
  });
  return {
    home,
    workspace,
    title: (index) => titleOf(index),
    getStuck: () => {
      for (const session of sessions.slice(0, STUCK))
        session.write(Array.from({ length: REPEATS }, (_, step) => session.fail(Date.now() + step)).flat());
      for (const session of sessions.slice(STUCK, STUCK + ASKING)) session.write([session.question(Date.now())]);
    },
    /** Writes one step of each session that works, and of the long one. */
    grow: () => {
      for (const session of sessions.slice(STUCK + ASKING, STUCK + ASKING + GROWING))
        session.write(session.work(Date.now()));
      sessions[0]?.write(sessions[0].fail(Date.now()));
    },
  };
}

const TASKS = [
  'Fix the flaky upload test',
  'Port the parser',
  'Split the module',
  'Translate the messages',
  'Speed up the import',
];

function titleOf(/** @type {number} */ index) {
  return index === 0 ? 'Mend the long build' : `${TASKS[index % TASKS.length]} ${index}`;
}

function sessionOf(/** @type {{ home: string, index: number, cwd: string }} */ { home, index, cwd }) {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const folder = join(home, '.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id}.jsonl`);
  let calls = 0;
  let records = 0;
  const base = (/** @type {number} */ time) => ({
    uuid: `${id.slice(0, 24)}${String(++records).padStart(12, '0')}`,
    sessionId: id,
    cwd,
    gitBranch: 'main',
    version: '2.1.329',
    timestamp: new Date(time).toISOString(),
  });
  const call = (/** @type {number} */ time, /** @type {string} */ name, /** @type {object} */ input) => ({
    ...base(time),
    type: 'assistant',
    message: {
      id: `msg_${index}_${++calls}`,
      role: 'assistant',
      model: 'claude-sonnet-5',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: `toolu_${index}_${calls}`, name, input }],
    },
  });
  const result = (/** @type {number} */ time, /** @type {string} */ text, isError = false) => ({
    ...base(time),
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${index}_${calls}`, content: text, is_error: isError }],
    },
  });
  return {
    write: (/** @type {object[]} */ lines) =>
      fs.appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    person: (/** @type {number} */ time) => ({
      ...base(time),
      type: 'user',
      message: { role: 'user', content: titleOf(index) },
    }),
    /** A step with a new result. */
    work: (/** @type {number} */ time) => [
      call(time, 'Read', { file_path: join(cwd, `src/part-${calls}.ts`) }),
      result(time, `export const part${calls} = '${String(calls).padStart(RESULT, 'x')}';`),
    ],
    /** A step whose result is always the same. */
    fail: (/** @type {number} */ time) => [
      call(time, 'Bash', { command: 'npm test' }),
      result(time, `Exit code 1\n1 failed: ${titleOf(index)}`, true),
    ],
    question: (/** @type {number} */ time) =>
      call(time, 'AskUserQuestion', {
        questions: [{ question: `Publish part ${index}?`, options: [{ label: 'Yes' }] }],
      }),
    end: (/** @type {number} */ time) => ({
      ...base(time),
      type: 'assistant',
      message: {
        id: `msg_${index}_end`,
        role: 'assistant',
        content: [{ type: 'text', text: 'It is done.' }],
        stop_reason: 'end_turn',
      },
    }),
  };
}
