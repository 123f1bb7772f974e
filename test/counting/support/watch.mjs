// `unstuck watch`, or another command that keeps running, as it is built, over a workspace and a home of its own.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../../scripts/bundles.mjs';

/** Milliseconds between two lines of a transcript: real agents are slower. */
const PACE_MS = 40;

/** @param {{ command?: string, options: readonly string[], env?: Record<string, string> }} given the command and its options */
export async function startWatch({ command = 'watch', options, env = {} }) {
  const root = mkdtempSync(join(tmpdir(), 'unstuck-counting-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const child = spawn(process.execPath, [join(projectRoot, 'dist/cli.js'), command, workspace, ...options], {
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [lines, notes] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (lines += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (notes += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const write = async (file, records, asLine) => {
    mkdirSync(join(file, '..'), { recursive: true });
    for (const record of records) {
      appendFileSync(file, `${asLine(record)}\n`);
      await sleep(PACE_MS);
    }
  };
  const transcript = (/** @type {string} */ session) =>
    join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);
  return {
    root,
    workspace,
    lines: () => lines,
    notes: () => notes,
    /** Writes lines of a generic transcript as if they were written now. */
    generic: (/** @type {string} */ session, /** @type {readonly object[]} */ records) =>
      write(join(workspace, `${session}.agent.jsonl`), records, (record) =>
        JSON.stringify({ v: 1, t: Date.now(), session, ...record }),
      ),
    /** Writes lines of a recorded run of Claude Code as if they were written now. */
    recorded: (/** @type {string} */ session, /** @type {readonly object[]} */ records) =>
      write(transcript(session), records, (record) => asIfNow(record, session, workspace)),
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      rmSync(root, { recursive: true, force: true });
      return code;
    },
  };
}

/** The records of a run in media/demo. */
export function recording(/** @type {string} */ name) {
  const text = readFileSync(join(projectRoot, 'media/demo', name), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function asIfNow(record, session, workspace) {
  const moved = { ...record };
  if (typeof moved.timestamp === 'string') moved.timestamp = new Date().toISOString();
  if (typeof moved.sessionId === 'string') moved.sessionId = session;
  return JSON.stringify(moved).replaceAll('/home/dev/project', workspace);
}
