#!/usr/bin/env node
/**
 * What the hook costs an agent when nothing waits: `sh hook.sh claude-code PostToolBatch` against `sh -c exit`, in turns in one run.
 * Goal: at most 10 ms more (median of 40).
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/vscode-host.mjs';

const ROUNDS = 40;
const LIMIT_MS = 10;

const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-hook-'));
const workspace = join(root, 'work');
const hook = join(root, 'hook');
fs.mkdirSync(join(workspace, '.unstuck/inbox/s1/new'), { recursive: true });
fs.mkdirSync(join(hook, 'roots'), { recursive: true });
fs.symlinkSync(workspace, join(hook, 'roots/work'));
fs.copyFileSync(join(projectRoot, 'src/hook.sh'), join(hook, 'hook.sh'));
fs.writeFileSync(join(hook, 'runtime'), `${process.execPath}\n`);
const payload = JSON.stringify({ session_id: 's1', cwd: workspace, hook_event_name: 'PostToolBatch', tool_calls: [] });
const env = {
  PATH: process.env.PATH,
  CLAUDE_PROJECT_DIR: workspace,
  CLAUDE_CODE_SESSION_ID: 's1',
  CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
};

const time = (/** @type {string[]} */ args) => {
  const began = process.hrtime.bigint();
  const { status, stdout } = spawnSync('sh', args, { input: payload, env, encoding: 'utf8' });
  if (status !== 0 || stdout !== '') throw new Error(`sh ${args.join(' ')}: ${status} ${stdout}`);
  return Number(process.hrtime.bigint() - began) / 1e6;
};
const bare = [];
const ours = [];
for (let round = 0; round < ROUNDS; round++) {
  bare.push(time(['-c', 'exit']));
  ours.push(time([join(hook, 'hook.sh'), 'claude-code', 'PostToolBatch']));
}
fs.rmSync(root, { recursive: true, force: true });
const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
const more = median(ours) - median(bare);
console.log(
  `hook with nothing to deliver: ${median(ours).toFixed(2)} ms, bare sh: ${median(bare).toFixed(2)} ms, ${more.toFixed(2)} ms more (limit ${LIMIT_MS})`,
);
process.exit(more <= LIMIT_MS ? 0 : 1);
