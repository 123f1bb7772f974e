import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleCommandLine } from '../support/command-line';

const KILLS = 100;
const SESSIONS = 12;
const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const work = mkdtempSync(join(tmpdir(), 'unstuck-cache-kills-'));
const program = join(work, 'cli.js');
const transcripts = join(work, 'transcripts');
const before = Date.now() - HOUR_MS;
let change = 0;

beforeAll(async () => {
  await bundleCommandLine(program, 'kills');
  mkdirSync(transcripts);
  for (let session = 0; session < SESSIONS; session++) write(session, 10);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** A session whose check failed the given number of times. It was written a while ago, so that what is known of it is kept. */
function write(session: number, fails: number): void {
  const record = (at: number, fields: object) =>
    `${JSON.stringify({ v: 1, t: new Date(NOON + at).toISOString(), ...fields })}\n`;
  let text = record(0, { type: 'session_start', cwd: '/w', title: `Session ${session}` });
  for (let run = 0; run < fails; run++) {
    text += record(run * 5000, { type: 'tool_call', id: `r${run}`, name: 'bash', args: { command: 'npm test' } });
    text += record(run * 5000 + 500, {
      type: 'tool_result',
      id: `r${run}`,
      output: `FAIL s${session}.test.ts`,
      error: true,
    });
  }
  const file = join(transcripts, `s${session}.agent.jsonl`);
  writeFileSync(file, text);
  const at = new Date(before + change++ * 1000);
  utimesSync(file, at, at);
}

/** Returns the output of a scan with this cache, without its duration. `started` receives a function that ends it. */
function scan(cache: string, started?: (kill: () => void) => void): Promise<string> {
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, [program, 'scan', '--json', transcripts], {
      env: { ...process.env, HOME: work, XDG_CACHE_HOME: cache },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    child.on('error', fail);
    child.on('close', () => settle(text.replace(/"seconds":[\d.]+/, '')));
    started?.(() => void child.kill('SIGKILL'));
  });
}

/** Valid entries, with the time at which they were written. */
function entries(folder: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const sum = createHash('sha256').update(text.slice(33)).digest('hex').slice(0, 32);
    if (text.slice(0, 32) === sum) found.set(name, statSync(join(folder, name)).mtimeMs);
  }
  return found;
}

it(`${KILLS} kills while the cache is written: no wrong entry, and nothing that was recorded is read again`, async () => {
  const cache = join(work, 'cache');
  await scan(cache);
  const folder = join(cache, 'unstuck', 'transcripts', 'kills');
  expect(entries(folder).size).toBe(SESSIONS);
  const names: string[] = [];
  for (let session = 0; session < SESSIONS; session++) {
    const known = entries(folder);
    write(session, 11);
    await scan(cache);
    for (const [name, at] of entries(folder)) if (known.get(name) !== at) names.push(name);
  }
  expect(names).toHaveLength(SESSIONS);
  expect(new Set(names).size).toBe(SESSIONS);
  /** Sessions that have changed, or were truncated, since they were recorded. A scan that was killed may not have reached them. */
  const due = new Set<string>();
  let cut = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const noted = entries(folder);
    // Two sessions have continued since; the entries of the others are valid.
    const changed = [kill % SESSIONS, (kill * 5 + 1) % SESSIONS];
    for (const session of changed) {
      write(session, 10 + (kill % 7));
      due.add(names[session] ?? '');
    }
    const wait = kill % 3;
    let seen = 0;
    await scan(cache, (end) => {
      const watcher = watch(folder, () => {
        if (seen++ < wait) return;
        watcher.close();
        end();
      });
    });
    expect(seen, 'it was killed while it wrote').toBeGreaterThan(0);
    const now = entries(folder);
    cut += SESSIONS - now.size;
    for (const name of names) {
      if (now.get(name) === noted.get(name)) continue;
      expect(due, 'only what has changed was read again').toContain(name);
      if (now.has(name)) due.delete(name);
    }
  }
  expect(cut, 'some kills left an entry that does not hold').toBeGreaterThan(0);
  expect(await scan(cache)).toBe(await scan(join(work, 'empty')));
  expect(entries(folder).size).toBe(SESSIONS);
});
