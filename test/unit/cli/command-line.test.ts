import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { version } from '../../../package.json';
import { COMMANDS, type CommandName, helpOf } from '../../../src/cli/help';
import { runCommandLine } from '../../../src/cli/command-line';
import { bundleCommandLine } from '../../support/command-line';

const NAMES = Object.keys(COMMANDS) as CommandName[];
const GOES_ON = new Promise<void>(() => {});
let folder = '';
let cli = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck-command-line-'));
  cli = join(folder, 'cli.js');
  await bundleCommandLine(cli);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[], input = '') {
  const [lines, notes]: [string[], string[]] = [[], []];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  const code = await runCommandLine(args, output, GOES_ON, Readable.from([Buffer.from(input)]));
  return { code, lines, notes };
}

/** A generic transcript in which one command fails the given number of times in the same way. */
function failing(times: number): string {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
  const lines = Array.from({ length: times }, (_, index) => [
    {
      v: 1,
      t: at(index * 10),
      session: 's',
      type: 'tool_call',
      id: `${index}`,
      name: 'bash',
      args: { command: 'make x' },
    },
    {
      v: 1,
      t: at(index * 10 + 5),
      session: 's',
      type: 'tool_result',
      id: `${index}`,
      output: 'error: no rule',
      isError: true,
    },
  ]);
  return lines
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

describe('help', () => {
  it.each(NAMES)('of %s is printed on standard output, however it is requested', async (name) => {
    const asked = await run([name, '--help']);
    expect(asked).toMatchObject({ code: 0, lines: [helpOf(name)], notes: [] });
    expect(await run([name, '-h', '--json'])).toEqual(asked);
    expect(await run(['help', name])).toEqual(asked);
  });

  it.each(NAMES)('of %s names only options that it takes', async (name) => {
    for (const [option] of COMMANDS[name].options) {
      const [word = '', value] = option.split(' ');
      // An invalid value of an option ends the command before it does anything.
      const { notes } = await run([
        name,
        ...(name === 'inbox' ? ['list'] : []),
        word,
        ...(value ? ['v'] : []),
        '--no-such',
      ]);
      expect(notes.join('\n'), option).toMatch(/Unknown option '--no-such'|--raw shows secrets/);
    }
  });

  it('lists every command', async () => {
    for (const args of [['help'], ['--help'], ['-h']]) {
      const { code, lines, notes } = await run(args);
      expect([code, notes]).toEqual([0, []]);
      for (const name of NAMES) expect(lines.join('\n')).toContain(`unstuck ${name} `);
    }
  });

  it('leaves the arguments of the command of run alone', async () => {
    const { code, notes } = await run(['run', '--', 'agent', '--help']);
    expect([code, notes.length]).toEqual([2, 1]);
    expect(notes[0]).toContain('--agent is missing');
  });
});

it('shows the version of the package', async () => {
  for (const word of ['--version', '-V', 'version'])
    expect(await run([word])).toEqual({ code: 0, lines: [version], notes: [] });
});

it('discover gives the reason for an agent once, however many formats it has', async () => {
  const { lines } = await run(['discover', folder]);
  expect(lines.filter((line) => line.startsWith('OpenHands: nothing'))).toEqual([
    'OpenHands: nothing, it has no store of its own; its files are in the workspace',
  ]);
});

describe('an error is one clear line on standard error, and exit code 2', () => {
  it.each([
    [[], 'name a command'],
    [['frobnicate'], 'there is no command "frobnicate"'],
    [['help', 'frobnicate'], 'there is no command "frobnicate"'],
    [['scan'], 'name a file or a folder'],
    [['scan', '/no/such/place'], '/no/such/place does not exist'],
    [['scan', 'x', '--frob'], "Unknown option '--frob'"],
    [['scan', 'x', '--preset', 'wild'], 'there is no preset "wild"'],
    [['scan', 'x', '--agent', 'nobody'], 'there is no agent "nobody"'],
    [['scan', 'x', '--now', 'soon'], '"soon" is not a time'],
    [['scan', 'x', '--set', 'cycle=3'], 'cycle: not one of off, eager, balanced, patient'],
    [['scan', 'x', '--set', 'budgets.days=3'], 'there is no such budget'],
    [['scan', 'x', '--set', 'codex:budgets.calls=5'], 'write --set budgets.calls=5'],
    [['scan', 'x', '--set', 'nobody:cycle.on=false'], 'there is no agent "nobody"'],
    [['scan', 'x', '--set', 'cycle.warn=many'], '"many" is not a number'],
    [['backtest', 'x', '--days', '-1'], '--days needs a value. Write one that begins with a dash as --days=-…'],
    [['backtest', 'x', '--days=-1'], '--days must be a number of days above 0'],
    [['check', '/no/such/file'], 'is not a readable file'],
    [['discover', '/no/such/folder'], 'is not a readable folder'],
    [['watch', '/no/such/folder'], 'is not a readable folder'],
    [['events', '--type', 'Party'], 'there is no type "Party"'],
    [['events', '--store', '/no/such/store'], 'there is no history in /no/such/store'],
    [['recall'], 'name the words to look for'],
    [['stats', '--days', '0'], '--days must be a number of days'],
    [['inbox', 'frob'], 'say send, list, take or withdraw'],
    [['inbox', 'send', 'hello'], '--session is missing'],
    [['run', '--agent', 'nobody', '--', 'x'], 'there is no agent "nobody"'],
  ])('%j', async (args, why) => {
    const { code, lines, notes } = await run(args);
    expect({ code, lines, notes: notes.length }).toEqual({ code: 2, lines: [], notes: 1 });
    expect(notes[0]).toContain(why);
    expect(notes[0]).toMatch(/^unstuck[^\n]*$/);
  });

  it('a file that is no transcript', async () => {
    const file = join(folder, 'poem.txt');
    writeFileSync(file, 'A rose is a rose is a rose.\n');
    for (const command of ['scan', 'backtest']) {
      const { code, lines, notes } = await run([command, file]);
      expect({ code, lines, notes }).toEqual({
        code: 2,
        lines: [],
        notes: [`unstuck ${command}: ${file}: not a transcript of a known agent.`],
      });
    }
  });
});

describe('thresholds by --set', () => {
  const scan = async (...words: string[]) => {
    const { lines } = await run(['scan', '-', '--json', ...words], failing(6));
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return records.filter(({ kind }) => kind === 'incident').map(({ detector }) => detector);
  };

  it('switch a rule off in one word, for all agents or for one', async () => {
    const all = await scan();
    expect(all).toContain('repeating_action');
    for (const set of ['repeating_action=false', 'repeating_action=off', 'generic:repeating_action=off'])
      expect(await scan('--set', set), set).not.toContain('repeating_action');
    expect(await scan('--set', 'codex:repeating_action=off')).toEqual(all);
  });
});

describe('standard input', () => {
  it('is a transcript for scan, under the given name', async () => {
    const { code, lines, notes } = await run(['scan', '-', '--json', '--fail-on-stuck'], failing(6));
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([code, notes]).toEqual([1, []]);
    expect(records.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['incident', 'file', 'total']));
    expect([...new Set(records.map(({ file }) => file).filter((file) => file !== undefined))]).toEqual(['-']);
  });

  it('is a transcript for check, and for backtest', async () => {
    expect(await run(['check', '-'], failing(2))).toMatchObject({ code: 0, lines: ['-: 4 lines, no problems'] });
    expect(await run(['check', '-'], '{"v":1}\n')).toMatchObject({ code: 1 });
    // As the window reports it: what is valid line by line may still say nothing about the agent.
    const rows = (...types: string[]) =>
      types.map((type, id) => `{"v":1,"t":${1e12 + id},"session":"s","type":${type}}\n`);
    const calls = rows(
      '"session_start"',
      ...Array.from({ length: 30 }, (_, id) => `"tool_call","id":"${id}","name":"x","args":{}`),
    );
    expect((await run(['check', '-'], calls.join(''))).lines).toEqual([
      '-:31: session "s": 9 of 30 steps seen, so the agent is not monitored',
      '-: 1 problem in 31 lines',
    ]);
    const unknown = rows('"session_start"', ...Array.from({ length: 5 }, () => '"step"'));
    expect((await run(['check', '-'], unknown.join(''))).lines).toContain(
      '-:6: session "s": 0 of 0 steps seen, 5 of 6 lines skipped, so the agent is not monitored',
    );
    const { lines } = await run(['backtest', '-', '--json'], failing(6));
    expect(lines.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'alarm')).toMatchObject({ file: '-' });
  });

  it('is the text of a message', async () => {
    const place = mkdtempSync(join(folder, 'inbox-'));
    const words = ['--folder', place, '--session', 's', '--json'];
    const { lines } = await run(['inbox', 'send', ...words, '--text', '-'], 'Read the error first.\n');
    expect(JSON.parse(lines[0] ?? '').message.text).toContain('Read the error first.');
  });

  it('is reported if it is empty', async () => {
    expect(await run(['scan', '-'])).toMatchObject({ code: 2, notes: ['unstuck scan: -: the file is empty.'] });
  });

  it('leaves no file behind', async () => {
    // A place that no other program uses.
    const place = mkdtempSync(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', place);
    const { lines } = await run(['scan', '-', '--json'], failing(2)).finally(() => vi.unstubAllEnvs());
    expect(lines).not.toEqual([]);
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('a separate process', () => {
  it('reads a pipe that a shell names', async () => {
    const file = join(folder, 'six.jsonl');
    writeFileSync(file, failing(6));
    const script = 'node "$0" scan <(cat "$1") --json --fail-on-stuck';
    const done = await promisify(execFile)('bash', ['-c', script, cli, file]).catch((error: unknown) => error);
    expect(done).toMatchObject({ code: 1, stderr: '' });
    expect((done as { stdout: string }).stdout).toContain('"detector":"repeating_action"');
  });

  it('exits quietly when its results are no longer read', async () => {
    const file = join(folder, 'many.jsonl');
    writeFileSync(file, failing(3).repeat(2000).replaceAll('error', 'err\\u006fr'));
    const child = spawn(process.execPath, [cli, 'check', file, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let noted = '';
    child.stderr.on('data', (bytes: Buffer) => (noted += bytes.toString()));
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, noted]).toEqual([0, '']);
  });
});
