import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleCommandLine } from '../../support/command-line';
import { PATIENCE } from '../../support/patience';

const work = mkdtempSync(join(tmpdir(), 'unstuck-stopped-'));
const program = join(work, 'cli.js');
const NOON = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

beforeAll(async () => {
  await bundleCommandLine(program);
}, PATIENCE.timeout);
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** A session in which a check fails again and again. */
function session(begin: number, fails: number): string {
  const record = (at: number, fields: object) =>
    `${JSON.stringify({ v: 1, t: new Date(at).toISOString(), ...fields })}\n`;
  let text = record(begin, { type: 'session_start', cwd: '/w' });
  for (let run = 0; run < fails; run++) {
    const at = begin + run * 5000;
    text += record(at, { type: 'tool_call', id: `r${run}`, name: 'bash', args: { command: 'npm test' } });
    text += record(at + 500, { type: 'tool_result', id: `r${run}`, output: 'FAIL a.test.ts', error: true });
  }
  return text;
}

/** Presses Ctrl+C after the first result. */
function scanStopped(folder: string) {
  return new Promise<{ code: number | null; text: string; notes: string }>((settle, fail) => {
    const child = spawn(process.execPath, [program, 'scan', '--json', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let notes = '';
    child.stdout.on('data', (part) => {
      if (text === '') child.kill('SIGINT');
      text += part;
    });
    child.stderr.on('data', (part) => (notes += part));
    child.on('error', fail);
    child.on('close', (code) => settle({ code, text, notes }));
  });
}

it(
  'a scan ends at Ctrl+C, and reports its progress',
  async () => {
    const folder = mkdtempSync(join(work, 'long-'));
    for (const [day, name] of ['a', 'b', 'c', 'd'].entries()) {
      const takesLong = name === 'b' || name === 'c';
      writeFileSync(join(folder, `${name}.agent.jsonl`), session(NOON + day * DAY_MS, takesLong ? 40_000 : 1));
    }
    const { code, text, notes } = await scanStopped(folder);
    expect(code).toBe(130);
    expect(notes).toMatch(/^unstuck scan: stopped; [123] of 4 transcripts were reported\.\n$/);
    expect(text).not.toMatch(/"kind":"total"|d\.agent\.jsonl/);
  },
  PATIENCE.timeout,
);
