import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line';
import { PATIENCE } from '../../support/patience';
import { upToNow } from '../engine/support';

const recording = readFileSync(resolve(__dirname, '../../../media/demo/same-command.jsonl'), 'utf8');
const FILES = [0, 1, 2, 3, 4, 5].map((file) => `f${file}.agent.jsonl`);
const home = mkdtempSync(join(tmpdir(), 'unstuck-crowd-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

describe('unstuck watch of a folder with 1,200 sessions of the year 2099', () => {
  it('reports the agent that begins to loop there, and names the files that it does not follow', async () => {
    const claude = join(home, '.claude');
    vi.stubEnv('CLAUDE_CONFIG_DIR', claude);
    const folder = join(home, 'work');
    mkdirSync(folder);
    for (const name of FILES) {
      const line = (session: number) =>
        JSON.stringify({ v: 1, t: '2099-01-01T00:00:00.000Z', session: `${name}-${session}`, type: 'user', text: 'x' });
      writeFileSync(join(folder, name), `${Array.from({ length: 200 }, (_, at) => line(at)).join('\n')}\n`);
    }
    const [lines, notes]: [string[], string[]] = [[], []];
    const output = {
      line: (text: string) => void lines.push(text),
      note: (text: string) => void notes.push(text),
      isTerminal: false,
    };
    let stop = (): void => {};
    const stopped = new Promise<void>((end) => {
      stop = end;
    });
    const watching = runCommandLine(['watch', folder, '--json'], output, stopped);
    const named = () =>
      FILES.filter((name) => notes.some((note) => note.startsWith(`${join(folder, name)} is left out`)));
    await vi.waitFor(() => expect(named()).toHaveLength(5), PATIENCE);

    const store = join(claude, 'projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(store, { recursive: true });
    const file = join(store, '11111111-0000-4000-8000-00000000000a.jsonl');
    writeFileSync(file, upToNow(recording.replaceAll('/home/dev/project', folder)));
    await vi.waitFor(() => {
      const incidents = lines.map((line) => JSON.parse(line) as object).filter((one) => 'detector' in one);
      expect(incidents).toContainEqual(expect.objectContaining({ file, level: 'stuck' }));
    }, PATIENCE);
    stop();
    expect(await watching).toBe(0);
  });
});
