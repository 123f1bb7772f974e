import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { type TailFs, systemFs } from '../../src/base/tail/file-system';
import { genericLines, stage } from '../unit/engine/support';

const DAY_MS = 86_400_000;
const soon = { timeout: 120_000, interval: 50 };

/** Measures the longest time in which the event loop had no turn, in processor time if that is less. */
function probe() {
  const gaps: number[] = [];
  let stopped = false;
  let last = performance.now();
  let used = process.cpuUsage();
  const look = () => {
    const now = performance.now();
    const since = process.cpuUsage(used);
    gaps.push(Math.min(now - last, (since.user + since.system) / 1000));
    last = now;
    used = process.cpuUsage();
    if (!stopped) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    stopped = true;
    const worked = gaps.filter((gap) => gap > 0.2).sort((one, other) => one - other);
    return { longest: worked.at(-1) ?? 0, p99: worked[Math.floor(worked.length * 0.99)] ?? 0 };
  };
}

function noting() {
  const opened: string[] = [];
  const open: TailFs['open'] = (path) => {
    opened.push(path);
    return systemFs.open(path);
  };
  return { fs: { ...systemFs, open } satisfies TailFs, opened };
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

describe('large input', () => {
  it('a sparse file of 2 GB: the session at its end is found, and memory stays small', async () => {
    const { engine, workspace } = stage();
    const file = join(workspace, 'sparse.agent.jsonl');
    writeFileSync(file, '');
    truncateSync(file, 2 * 1024 ** 3);
    appendFileSync(file, `\n${genericLines('sparse', 5).join('\n')}\n`);
    const before = process.memoryUsage().rss;
    const stop = probe();
    const start = performance.now();
    engine.start();
    await vi.waitFor(() => expect(engine.agent('sparse')?.coverage.seen).toBe(5), soon);
    const first = performance.now() - start;
    await vi.waitFor(() => expect(engine.agent('sparse')?.coverage.since).toBeUndefined(), soon);
    const { longest, p99 } = stop();
    const grown = (process.memoryUsage().rss - before) / 1024 ** 2;
    console.log(
      `2 GB sparse: there after ${ms(first)}, read whole after ${ms(performance.now() - start)}, longest run ${ms(longest)} (p99 ${ms(p99)}), memory +${grown.toFixed(0)} MB`,
    );
    expect(grown).toBeLessThan(200);
  });

  it('a line of 64 MB between steps: all steps are there', async () => {
    const { engine, workspace } = stage();
    const file = join(workspace, 'line.agent.jsonl');
    const lines = genericLines('line', 6);
    const descriptor = openSync(file, 'w');
    writeSync(descriptor, `${lines.slice(0, 5).join('\n')}\n`);
    writeSync(descriptor, '{"v":1,"session":"line","type":"assistant","text":"');
    const part = 'some text with \\"quotes\\" and a line\\n'.repeat(27_000);
    for (let size = 0; size < 64 << 20; size += part.length) writeSync(descriptor, part);
    writeSync(descriptor, `"}\n${lines.slice(5).join('\n')}\n`);
    closeSync(descriptor);
    const stop = probe();
    const start = performance.now();
    engine.start();
    await vi.waitFor(() => expect(engine.agent('line')?.coverage.seen).toBe(6), soon);
    await vi.waitFor(() => expect(engine.agent('line')?.coverage.since).toBeUndefined(), soon);
    const { longest, p99 } = stop();
    console.log(
      `64 MB line: read whole after ${ms(performance.now() - start)}, longest run ${ms(longest)} (p99 ${ms(p99)})`,
    );
    expect(engine.agent('line')?.coverage).toMatchObject({ there: 6, lines: lines.length + 1 });
  });

  it('10,000 old sessions of Codex and of Claude Code: they are not opened, and the one that works is there at once', async () => {
    const { fs, opened } = noting();
    const { engine, home, workspace } = stage({ fs });
    const now = Date.now();
    const body = 'x'.repeat(1_000);
    const write = (file: string, cwd: string, daysAgo: number) => {
      const at = (now - daysAgo * DAY_MS) / 1000;
      writeFileSync(
        file,
        `${JSON.stringify({ timestamp: new Date(at * 1000).toISOString(), type: 'session_meta', payload: { id: file.slice(-42, -6), cwd, source: 'cli', instructions: body } })}\n`,
      );
      utimesSync(file, at, at);
    };
    const uuid = (number: number) => `01a1fa55-0000-7000-8000-${String(number).padStart(12, '0')}`;
    for (let number = 0; number < 5_000; number++) {
      const daysAgo = 2 + number / 14;
      const [year, month, day] = new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10).split('-');
      const folder = join(home, `.codex/sessions/${year}/${month}/${day}`);
      mkdirSync(folder, { recursive: true });
      write(join(folder, `rollout-${year}-${month}-${day}T10-00-00-${uuid(number)}.jsonl`), workspace, daysAgo);
    }
    const projects = join(home, '.claude/projects');
    for (let number = 0; number < 5_000; number++) {
      const own = number % 5 === 0;
      const folder = join(projects, own ? workspace.replace(/[^A-Za-z0-9]/g, '-') : `-other-project-${number % 100}`);
      mkdirSync(folder, { recursive: true });
      write(join(folder, `${uuid(number)}.jsonl`), own ? workspace : `/other/project/${number % 100}`, 2 + number / 14);
    }
    writeFileSync(join(workspace, 'now.agent.jsonl'), `${genericLines('now', 3).join('\n')}\n`);
    const stop = probe();
    const start = performance.now();
    const cpu = process.cpuUsage();
    engine.start();
    const begun = performance.now() - start;
    await vi.waitFor(() => expect(engine.agents().map((view) => view.session)).toEqual(['now']), {
      ...soon,
      interval: 5,
    });
    const first = performance.now() - start;
    await new Promise((done) => setTimeout(done, 3_000));
    const { longest, p99 } = stop();
    const used = process.cpuUsage(cpu);
    console.log(
      `10,000 old sessions: start() ${ms(begun)}, the one that works after ${ms(first)}, longest run ${ms(longest)} (p99 ${ms(p99)}), processor ${ms((used.user + used.system) / 1000)} in all, files opened ${opened.length}`,
    );
    expect(new Set(opened)).toEqual(new Set([join(workspace, 'now.agent.jsonl')]));

    const looked = performance.now();
    const { transcripts } = await engine.earlierTranscripts(() => false, 2_000);
    console.log(
      `history: ${opened.length - 1} heads, ${transcripts.length} of this folder, in ${ms(performance.now() - looked)}`,
    );
    // in this test the heads of Claude Code's files do not name their folder, so they are not read any further
    expect(new Set(opened).size - 1).toBeLessThanOrEqual(2_000);
  });
});
