import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generic } from '../../../src/agents/generic/adapter';
import { main } from '../../../src/cli/main';
import { startScanThread, threadsFor } from '../../../src/cli/scan-thread';
import { resolveOptions } from '../../../src/detect/session/options';
import { readSmall } from '../../../src/engine/follow/probe';
import { type Scannable, scanAll, type TranscriptReader } from '../../../src/engine/scan-all';
import { PATIENCE } from '../../support/patience';

const root = resolve(__dirname, '../../..');
const work = mkdtempSync(join(tmpdir(), 'unstuck-threads-'));
const script = join(work, 'scan-worker.js');
const program = join(work, 'cli.js');

beforeAll(async () => {
  for (const [from, outfile] of [
    ['scan-worker', script],
    ['cli', program],
  ] as const)
    await build({
      entryPoints: [join(root, `src/${from}.ts`)],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      mainFields: ['module', 'main'],
      logLevel: 'silent',
    });
}, PATIENCE.timeout);
afterAll(() => rmSync(work, { recursive: true, force: true }));

const NOON = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

function record(at: number, fields: object): string {
  return `${JSON.stringify({ v: 1, t: new Date(at).toISOString(), ...fields })}\n`;
}

/** A call with its result. */
function call(at: number, id: string, name: string, args: object, output: string, error = false): string {
  return (
    record(at, { type: 'tool_call', id, name, args }) +
    record(at + 500, { type: 'tool_result', id, output, ...(error && { error }) })
  );
}

/** A session: `turns` edits of a price that another session turns back, then a check that fails again and again. */
function session(begin: number, turn: number, turns: number, fails: number, edited = 'price.ts'): string {
  let text = record(begin, { type: 'session_start', cwd: '/w' });
  for (let round = turn; round < turns * 2; round += 2) {
    const [before, after] = turn === 0 ? ['price', 'qty'] : ['qty', 'price'];
    const args = { file_path: `/w/${edited}`, old_string: before, new_string: after };
    text += call(begin + round * 10_000, `e${round}`, 'edit', args, 'edited');
  }
  for (let run = 0; run < fails; run++)
    text += call(begin + 200_000 + run * 5000, `r${run}`, 'bash', { command: 'npm test' }, 'FAIL a.test.ts', true);
  return text;
}

/** Sessions of four days, several on each, of unequal length, pairs of which undo each other; two of the same name. */
function folder(): string {
  const path = mkdtempSync(join(work, 'transcripts-'));
  for (let day = 0; day < 4; day++)
    for (let one = 0; one < 5; one++) {
      const below = join(path, `d${day}`, one === 4 ? 'again' : '.');
      mkdirSync(below, { recursive: true });
      const begin = NOON + day * DAY_MS + one * 1000;
      const name = one === 4 ? 's0' : `s${one}`;
      writeFileSync(
        join(below, `${name}.agent.jsonl`),
        session(begin, one % 2, 3 + day, one * day * 3, `price${one >> 1}.ts`),
      );
    }
  return path;
}

async function printed(...args: string[]): Promise<string[]> {
  const { code, lines } = await run(['scan', '--json', '--why', ...args]);
  expect(code).toBe(0);
  return lines.filter((line) => !line.includes('"kind":"total"'));
}

/** Runs the built program; `stopAt`: Ctrl+C after its first result. */
function run(args: string[], stopAt?: 'first result') {
  return new Promise<{ code: number | null; lines: string[]; notes: string }>((settle, fail) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let notes = '';
    child.stdout.on('data', (part) => {
      if (text === '' && stopAt) child.kill('SIGINT');
      text += part;
    });
    child.stderr.on('data', (part) => (notes += part));
    child.on('error', fail);
    child.on('close', (code) => settle({ code, lines: text.trimEnd().split('\n'), notes }));
  });
}

async function scanned(files: readonly Scannable[], others: readonly TranscriptReader[]) {
  const results: unknown[] = [];
  const options = {
    detectors: (agent?: Parameters<typeof resolveOptions>[2]) => resolveOptions('balanced', {}, agent),
    context: () => ({ readSmall }),
    others,
  };
  for await (const { one, ...result } of scanAll(files, options)) results.push([one.file, result]);
  return results;
}

describe('a scan by several threads', () => {
  it('takes a second one for more than 500 MB where there are two cores', () => {
    expect([threadsFor(500e6, 2), threadsFor(500e6 + 1, 2), threadsFor(2e9, 16), threadsFor(2e9, 1)]).toEqual([
      1, 2, 2, 1,
    ]);
  });

  it(
    'prints the same in the same order, with what it finds across sessions',
    async () => {
      const path = folder();
      const one = await printed('--threads', '1', path);
      expect(one.filter((line) => line.includes('"rule":"peers"')).length).toBeGreaterThan(4);
      expect(new Set(one.map((line) => JSON.parse(line).kind))).toEqual(new Set(['incident', 'near_miss', 'file']));
      for (const threads of ['2', '3', '16']) expect(await printed('--threads', threads, path)).toEqual(one);
    },
    PATIENCE.timeout,
  );

  it('says of a file that vanished what a single one says, and goes on', async () => {
    const path = mkdtempSync(join(work, 'gone-'));
    const files = ['a', 'b', 'c', 'd'].map((name, at) => {
      const file = join(path, `${name}.agent.jsonl`);
      const text = session(NOON + at * 1000, at % 2, 4, 4);
      if (name !== 'b' && name !== 'c') writeFileSync(file, text);
      return { file, size: text.length, adapter: generic };
    });
    const alone = await scanned(files, []);
    expect(JSON.stringify(alone)).toMatch(/"why":/);
    const thread = startScanThread(script, { preset: 'balanced', settings: {} });
    try {
      expect(await scanned(files, [thread.read])).toEqual(alone);
    } finally {
      await thread.end();
    }
  });

  it('fails as a whole when a thread fails', async () => {
    const file = join(work, 'failing.cjs');
    writeFileSync(file, "throw new Error('no memory is left');");
    const thread = startScanThread(file, { preset: 'balanced', settings: {} });
    const files = ['a', 'b', 'c'].map((name) => ({ file: join(work, name), size: 1, adapter: generic }));
    await expect(scanned(files, [thread.read])).rejects.toThrow(
      'a thread that reads transcripts failed: no memory is left',
    );
  });

  it('takes a number from 1 to 16', async () => {
    const notes: string[] = [];
    const output = { line: () => {}, note: (text: string) => void notes.push(text), isTerminal: false };
    for (const text of ['0', '17', '1.5', 'two'])
      expect(await main(['scan', '--threads', text, work], output, new Promise(() => {}))).toBe(2);
    expect(notes.at(-1)).toBe('unstuck scan: --threads takes a number from 1 to 16, not "two".');
  });

  it.each(['1', '2'])(
    'ends at Ctrl+C with %s, and says how far it came',
    async (threads) => {
      const path = mkdtempSync(join(work, 'long-'));
      writeFileSync(join(path, 'a.agent.jsonl'), session(NOON, 0, 2, 1));
      // Two of later days that take long, and a last one.
      for (const [at, name] of ['b', 'c', 'd'].entries())
        writeFileSync(
          join(path, `${name}.agent.jsonl`),
          session(NOON + (at + 1) * DAY_MS, 0, 2, name === 'd' ? 1 : 40_000),
        );
      const { code, lines, notes } = await run(['scan', '--json', '--threads', threads, path], 'first result');
      expect(code).toBe(130);
      expect(notes).toMatch(/^unstuck scan: stopped; [123] of 4 transcripts were reported\.\n$/);
      expect(lines.filter((line) => /"kind":"total"|d\.agent\.jsonl/.test(line))).toEqual([]);
    },
    PATIENCE.timeout,
  );
});
