import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line';

const folder = mkdtempSync(join(tmpdir(), 'unstuck-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Characters that a terminal obeys or a person does not see: C1, direction marks, tags, zero width, a filler, a byte order mark, a line separator.
 */
const HIDDEN = '\u009b31m\u009d0;x\u0090\u202e\u2066\u{e0041}\u200b\u3164\ufeff\u2028\u007f';
const UNSEEN = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;

async function run(args: readonly string[], hasTerminalForResults = false) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
    hasTerminalForResults,
  };
  const code = await runCommandLine(args, output, new Promise<void>(() => {}), Readable.from([]));
  return { code, lines, notes };
}

/** A run that repeats a command with hidden characters in its name, its words and its file. */
function transcript(): string {
  const file = join(folder, `run${HIDDEN.replace('\u2028', '')}.agent.jsonl`);
  const record = (second: number, more: object) =>
    `${JSON.stringify({ v: 1, t: Date.UTC(2026, 10, 20, 12, 0, second), session: 's', agent: `a${HIDDEN}`, ...more })}\n`;
  const lines = Array.from({ length: 12 }, (_, at) => [
    record(at * 2, { type: 'tool_call', id: `${at}`, name: `bash${HIDDEN}`, args: { command: `make ${HIDDEN}` } }),
    record(at * 2 + 1, { type: 'tool_result', id: `${at}`, output: `no rule ${HIDDEN}`, isError: true }),
  ]);
  writeFileSync(file, [record(0, { type: 'user', text: `Build it${HIDDEN}` }), ...lines.flat()].join(''));
  return file;
}

describe('records', () => {
  it.each([
    ['scan', ['--json', '--why']],
    ['check', ['--json']],
    ['backtest', ['--json']],
  ])('of %s have hidden characters escaped, and are the same once parsed', async (command, options) => {
    const file = transcript();
    const { lines } = await run([command, file, ...options]);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toMatch(UNSEEN);
    const texts = lines.map((line) => JSON.stringify(JSON.parse(line))).join('\n');
    if (command !== 'backtest') expect(texts).toContain(JSON.stringify(file).slice(1, -1));
  });

  it('have them as escapes with --raw, too', async () => {
    const { lines } = await run(['scan', transcript(), '--json', '--raw'], true);
    expect(lines.join('')).toContain('\\u202e');
    for (const line of lines) expect(line).not.toMatch(UNSEEN);
  });
});

describe('the message about a command line that was not understood', () => {
  const name = `a\u001b]0;PWNED\u0007${HIDDEN}\n[32mb`;
  const link = join(folder, `${name}.jsonl`);
  symlinkSync(join(folder, 'nowhere'), link);
  const one = join(folder, 'one.agent.jsonl');
  writeFileSync(one, '');

  it.each([
    ['a file that does not exist', ['scan', link]],
    ['a folder', ['watch', link]],
    ['a folder of an inbox', ['inbox', 'list', '--folder', link]],
    ['a file to check', ['check', link]],
    ['an option', ['scan', `--${name}`]],
    ['a limit', ['scan', one, '--set', name]],
    ['a command', [name]],
    ['a command to help with', ['help', name]],
    ['a history', ['recall', '--store', link]],
    ['a time', ['stats', '--since', name]],
  ])('names %s without what a terminal obeys, in one line', async (_, args) => {
    const { code, lines, notes } = await run(args);
    expect({ code, lines, said: notes.length }).toEqual({ code: 2, lines: [], said: 1 });
    expect(notes[0]).not.toMatch(UNSEEN);
    expect(notes[0]).toMatch(/^unstuck/);
  });
});
