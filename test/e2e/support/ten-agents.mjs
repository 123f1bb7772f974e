/** Ten synthetic sessions of Claude Code in three folders: three repeat themselves, one asks, the others work. They contain no recorded text. */
import fs from 'node:fs';
import { join } from 'node:path';

const TASKS = [
  { folder: 'billing', title: 'Rename the billing tables', asks: 'Run the migration on the dev database?' },
  { folder: 'shop', title: 'Fix the flaky checkout test', repeats: 'npm test -- checkout' },
  { folder: 'shop', title: 'Fix the import error', repeats: 'pytest -q', branch: 'fix-import' },
  { folder: 'dates', title: 'Port the date parser', repeats: 'npm run build' },
  { folder: 'billing', title: 'Speed up the CSV import' },
  { folder: 'shop', title: 'Write tests for the template parser' },
  { folder: 'shop', title: 'Translate the error messages' },
  { folder: 'billing', title: 'Add rate limiting to the public API' },
  { folder: 'dates', title: 'Split the checkout module' },
  { folder: 'dates', title: 'Bump the base image' },
];

/**
 * Writes them below a home, as if they had begun some minutes ago.
 * @param {{ root: string, home?: string, steps?: number }} options root: a folder of their own; steps: how many each one did
 * @returns {{ home: string, workspace: string, append: (index: number, count: number) => void }} the workspace file of the three folders
 */
export function writeTenAgents({ root, home = join(root, 'home'), steps = 12 }) {
  const places = ['shop', 'billing', 'dates'];
  for (const place of places) fs.mkdirSync(join(root, place), { recursive: true });
  const workspace = join(root, 'work.code-workspace');
  fs.writeFileSync(workspace, JSON.stringify({ folders: places.map((path) => ({ path: join(root, path) })) }));
  const begun = Date.now() - 8 * 60_000;
  const made = TASKS.map((task, index) => sessionOf({ ...task, index, cwd: join(root, task.folder), begun }));
  for (const [index, session] of made.entries()) {
    const folder = join(home, '.claude/projects', join(root, TASKS[index]?.folder ?? '').replace(/[^A-Za-z0-9]/g, '-'));
    fs.mkdirSync(folder, { recursive: true });
    session.write = (records) =>
      fs.appendFileSync(
        join(folder, `${session.id}.jsonl`),
        records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      );
    session.write(session.start());
    session.write(session.work(steps - 4));
  }
  return {
    home,
    workspace,
    append: (index, count) => made[index]?.write(made[index].work(count, Date.now())),
    /** Makes three of them stuck and one ask, while a window watches. */
    goOn: () => {
      for (const session of made) session.write([...session.work(4, Date.now()), ...session.ask(Date.now())]);
    },
  };
}

function sessionOf({ title, repeats, asks, branch = 'main', index, cwd, begun }) {
  const id = `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`;
  let records = 0;
  let calls = 0;
  let at = begun;
  const uuid = () => `00000000-0000-4000-8000-${String(index).padStart(2, '0')}${String(++records).padStart(10, '0')}`;
  const base = (time) => ({
    uuid: uuid(),
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: id,
    version: '2.1.329',
    gitBranch: branch,
    timestamp: new Date(time).toISOString(),
  });
  const call = (name, input, time) => ({
    ...base(time),
    type: 'assistant',
    message: {
      id: `msg_${index}_${++calls}`,
      role: 'assistant',
      type: 'message',
      model: 'claude-sonnet-5',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: `toolu_${index}_${calls}`, name, input }],
      usage: { input_tokens: 10, output_tokens: 10 },
    },
  });
  const result = (text, isError, time) => ({
    ...base(time),
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${index}_${calls}`, content: text, is_error: isError }],
    },
  });
  return {
    id,
    write: (_records) => {},
    start: () => [{ ...base(at), type: 'user', message: { role: 'user', content: title } }],
    work: (count, from) =>
      Array.from({ length: count }, (_, step) => {
        at = from === undefined ? at + 12_000 : Math.max(at, from) + step * 10;
        const isLoop = repeats !== undefined && (from !== undefined || calls > 4);
        const command = isLoop ? repeats : `cat src/part-${calls}.ts`;
        const text = isLoop ? `Exit code 1\n1 failed: ${title}` : `export const part = ${calls * 7};`;
        return [call('Bash', { command }, at), result(text, isLoop, at + 5)];
      }).flat(),
    ask: (from) =>
      asks === undefined
        ? []
        : [
            call(
              'AskUserQuestion',
              { questions: [{ question: asks, options: [{ label: 'Yes' }, { label: 'No' }] }] },
              from,
            ),
          ],
  };
}
