#!/usr/bin/env node
/**
 * Measures what the hook costs an agent: `sh hook.sh AGENT EVENT` against `sh -c exit`, alternating in one run: with no inbox, with nothing waiting,
 * with 100 messages waiting for others, as a repository may bring along, and where it records the outcome of a call of VS Code's chat agent. No call
 * may start a JavaScript runtime. Goal: at most 10 ms more (median of 40), or 40 ms where it records.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/vscode-host.mjs';

const ROUNDS = 40;
const LIMIT_MS = 10;
const RECORDS_LIMIT_MS = 40;
const SESSION = '01a2004b-a94e-76c1-b33a-2fe4a37559f5';
const FOREIGN = 100;

const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-hook-'));
const starts = join(root, 'starts');
const runtime = join(root, 'runtime.sh');
fs.writeFileSync(runtime, `#!/bin/sh\necho >>"${starts}"\nexec "${process.execPath}" "$@"\n`, { mode: 0o700 });

/** A hook with one recorded folder. `fill`: fills that folder. */
function place(/** @type {string} */ name, /** @type {(inbox: string) => void} */ fill) {
  const workspace = join(root, name, 'work');
  const hook = join(root, name, 'hook');
  fs.mkdirSync(join(hook, 'roots'), { recursive: true });
  fs.mkdirSync(workspace, { recursive: true });
  fs.symlinkSync(workspace, join(hook, 'roots/work'));
  fs.copyFileSync(join(projectRoot, 'src/agents/hook.sh'), join(hook, 'hook.sh'));
  fs.writeFileSync(join(hook, 'runtime'), `${runtime}\n`);
  fill(join(workspace, '.unstuck/inbox'));
  return { name, workspace, script: join(hook, 'hook.sh') };
}
const own = (/** @type {string} */ inbox) => {
  fs.mkdirSync(join(inbox, SESSION, 'new'), { recursive: true });
  // Without it nothing is written down besides the messages.
  fs.writeFileSync(join(inbox, '../.gitignore'), '*\n');
};
const places = [
  place('no inbox', () => {}),
  place('nothing waits', own),
  place('foreign mail', (inbox) => {
    own(inbox);
    for (let number = 0; number < FOREIGN; number++) {
      const folder = join(inbox, number % 2 ? `zz${number}` : `agent-zz${number}`, 'new');
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(join(folder, '01JDAAAAAAAAAAAAAAAAAAAAAA.json'), '{}');
    }
  }),
];
/** VS Code's chat agent runs the hooks of Copilot CLI with an input of its own. */
const chat = (/** @type {string} */ event) => ({
  timestamp: '2026-11-22T10:07:42.690Z',
  hook_event_name: event,
  session_id: SESSION,
  tool_name: 'run_in_terminal',
  tool_input: { command: 'npm test' },
});
const agents = [
  {
    agent: 'claude-code',
    event: 'PostToolBatch',
    env: { CLAUDE_CODE_SESSION_ID: SESSION },
    given: { session_id: SESSION },
  },
  { agent: 'codex', event: 'PostToolUse', env: {}, given: { session_id: SESSION } },
  { agent: 'copilot-cli', event: 'postToolUse', env: {}, given: { sessionId: SESSION } },
  { agent: 'copilot-cli', event: 'preToolUse', env: {}, given: chat('PreToolUse') },
  {
    agent: 'copilot-cli',
    event: 'postToolUse',
    env: {},
    given: chat('PostToolUse'),
    records: true,
  },
];

const time = (/** @type {string[]} */ args, /** @type {object} */ env, /** @type {string} */ input) => {
  const began = process.hrtime.bigint();
  const { status, stdout } = spawnSync('sh', args, {
    input,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  if (status !== 0 || stdout !== '') throw new Error(`sh ${args.join(' ')}: ${status} ${stdout}`);
  return Number(process.hrtime.bigint() - began) / 1e6;
};
const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

let holds = true;
for (const { agent, event, env, given, records } of agents) {
  for (const { name, workspace, script } of places) {
    const response = 'x'.repeat(3_000);
    const payload = JSON.stringify({
      ...given,
      ...(!('tool_name' in given) && { cwd: workspace, tool_name: 'Bash' }),
      tool_response: response,
      ...('tool_name' in given && { tool_use_id: 'call_1__vscode-1795341859270', cwd: workspace }),
    });
    const bare = [];
    const ours = [];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(time(['-c', 'exit'], env, payload));
      ours.push(time([script, agent, event], env, payload));
    }
    const more = median(ours) - median(bare);
    const limit = records ? RECORDS_LIMIT_MS : LIMIT_MS;
    const file = join(workspace, '.unstuck/inbox', SESSION, 'calls.jsonl');
    const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').length : 0;
    if (records && name !== 'no inbox' && written !== ROUNDS)
      throw new Error(`${written} of ${ROUNDS} calls written down`);
    holds &&= more <= limit;
    const who = 'hook_event_name' in given ? `vscode-chat ${given.hook_event_name}` : agent;
    console.log(
      `${who}, ${name}${written > 0 ? `, ${written} calls written down` : ''}: ${median(ours).toFixed(2)} ms, bare sh: ${median(bare).toFixed(2)} ms, ${more.toFixed(2)} ms more (limit ${limit})`,
    );
  }
}
const started = fs.existsSync(starts) ? fs.readFileSync(starts, 'utf8').length : 0;
console.log(`runtimes started: ${started}`);
fs.rmSync(root, { recursive: true, force: true });
process.exit(holds && started === 0 ? 0 : 1);
