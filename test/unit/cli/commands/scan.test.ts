import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { main } from '../../../../src/cli/main';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A transcript of these lines. Gives its path. */
function transcript(name: string, lines: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-scan-'));
  folders.push(folder);
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function run(...args: string[]) {
  const lines: string[] = [];
  const output = { line: (text: string) => void lines.push(text), note: () => {}, isTerminal: false };
  const code = await main(args, output, new Promise(() => {}));
  return { code, lines };
}

describe('scan', () => {
  it('tells people that it counted; how often such an alert is right stands in --json only', async () => {
    const begin = Date.parse('2026-11-20T12:00:00Z');
    const file = transcript(
      'one.agent.jsonl',
      Array.from({ length: 5 }, (_, index) => [
        { v: 1, t: begin + index * 2000, type: 'tool_call', id: `c${index}`, name: 'bash', args: { command: 'make' } },
        { v: 1, t: begin + index * 2000, type: 'tool_result', id: `c${index}`, output: 'no rule', isError: true },
      ]).flat(),
    );
    const { lines } = await run('scan', file);
    expect(lines[1]).toBe('  stuck repeating_action  warned at line 6, stuck at line 8, still open  (counted)');
    const [incident] = (await run('scan', file, '--json')).lines.map((line) => JSON.parse(line));
    expect(incident).toMatchObject({ kind: 'incident', certainty: 'counted', confidence: 0.95 });
  });
});
