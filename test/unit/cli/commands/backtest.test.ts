import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line';
import { DETECTOR_IDS } from '../../../../src/core/model';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A transcript in which one command fails the given number of times with one error, and nothing else happens. */
function transcript(times: number, begin = Date.parse('2026-11-20T12:00:00Z'), command = 'make'): string {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-backtest-'));
  folders.push(folder);
  const lines = Array.from({ length: times }, (_, index) => [
    { t: begin + index * 2000, type: 'tool_call', id: `c${index}`, name: 'bash', args: { command } },
    { t: begin + index * 2000, type: 'tool_result', id: `c${index}`, output: 'no rule to make target', isError: true },
  ]).flat();
  writeFileSync(
    join(folder, 'one.agent.jsonl'),
    lines.map((line) => `${JSON.stringify({ v: 1, ...line })}\n`).join(''),
  );
  return folder;
}

async function run(...args: string[]) {
  const lines: string[] = [];
  const notes: string[] = [];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  const code = await runCommandLine(args, output, new Promise(() => {}));
  return { code, lines, notes };
}

const records = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('backtest', () => {
  it('reports for every preset how often each detector would have fired', async () => {
    const { code, lines } = await run('backtest', transcript(3), '--json');
    expect(code).toBe(0);
    const all = records(lines);
    const fired = all
      .filter(({ incidents, kind }) => kind === 'backtest' && incidents !== 0)
      .map(({ preset, detector, warn, stuck, incidents, stuckIncidents, sessions }) => ({
        preset,
        detector,
        warn,
        stuck,
        incidents,
        stuckIncidents,
        sessions,
      }));
    expect(fired).toEqual([
      {
        preset: 'eager',
        detector: 'repeating_action',
        warn: 2,
        stuck: 3,
        incidents: 1,
        stuckIncidents: 1,
        sessions: 1,
      },
      {
        preset: 'balanced',
        detector: 'repeating_action',
        warn: 3,
        stuck: 4,
        incidents: 1,
        stuckIncidents: 0,
        sessions: 1,
      },
    ]);
    for (const preset of ['eager', 'balanced', 'patient'])
      expect(new Set(all.filter((one) => one['preset'] === preset).map((one) => one['detector']))).toEqual(
        new Set(DETECTOR_IDS),
      );
    expect(all.at(-1)).toMatchObject({ kind: 'total', files: 1, sessions: 1, actions: 3, days: null });
  });

  it('checks the named presets, with the given thresholds', async () => {
    const { lines } = await run(
      'backtest',
      transcript(3),
      '--preset',
      'patient',
      '--set',
      'repeating_action.warn=2',
      '--set',
      'repeating_action.stuck=3',
      '--json',
    );
    const all = records(lines);
    expect(new Set(all.map(({ preset }) => preset).filter(Boolean))).toEqual(new Set(['patient']));
    expect(all.find(({ detector }) => detector === 'repeating_action')).toMatchObject({ warn: 2, stuckIncidents: 1 });
  });

  it('leaves out what is older than the requested days', async () => {
    const folder = transcript(4);
    expect((await run('backtest', folder, '--days', '100000', '--json')).code).toBe(0);
    utimesSync(join(folder, 'one.agent.jsonl'), 1_000_000_000, 1_000_000_000);
    const { code, notes } = await run('backtest', folder, '--days', '7');
    expect(code).toBe(2);
    expect(notes).toEqual(['unstuck backtest: no transcript was found of the last 7 days.']);
  });

  it('prints a table with a line for each detector', async () => {
    const { lines } = await run('backtest', transcript(4), '--preset', 'balanced', '--preset', 'eager');
    expect(lines[0]).toMatch(/balanced +fired +stuck +sessions +eager +fired +stuck +sessions/);
    expect(lines.find((line) => line.startsWith('repeating_action'))).toMatch(/3 \/ 4 +1 +1 +1 +2 \/ 3 +1 +1 +1$/);
    expect(lines.findIndex((line) => line === '')).toBe(DETECTOR_IDS.length + 1);
    expect(lines.at(-1)).toMatch(/^1 transcript, 1 session, 4 steps/);
  });

  it('lists each alarm with its lines, and explains one of them', async () => {
    const folder = transcript(4);
    const file = join(folder, 'one.agent.jsonl');
    const args = ['backtest', folder, '--preset', 'balanced'];
    const { lines } = await run(...args);
    const head = lines.find((line) => line.includes(file)) ?? '';
    expect(head).toMatch(/ stuck +repeating_action +count 4 /);
    expect(head.endsWith(`${file}:1,3,5,7`)).toBe(true);
    const id = /^ +([0-9A-Z]{26}) /.exec(head)?.[1] ?? '';

    const told = await run(...args, '--explain', id);
    expect(told.code).toBe(0);
    expect(told.lines).toContainEqual(expect.stringMatching(/^ +1–2 +make$/));
    expect(told.lines.filter((line) => line.includes('→ no rule to make target'))).toHaveLength(4);
    expect(told.lines).toContain('    Alarm at line 6, stuck at line 8, still open at the end.');

    const none = await run(...args, '--explain', 'NOBODY');
    expect({ ...none, notes: none.notes.length }).toEqual({ code: 2, lines: [], notes: 1 });
  });

  it('gives an alarm the same ID in every run, and only alarms of the requested days', async () => {
    const folder = transcript(4);
    const alarms = async (...more: string[]) =>
      records((await run('backtest', folder, '--json', ...more)).lines).filter(({ kind }) => kind === 'alarm');
    const first = await alarms();
    expect(first).toMatchObject([
      { preset: 'balanced', detector: 'repeating_action', level: 'stuck', count: 4, alertLine: 6, lines: [1, 3, 5, 7] },
    ]);
    expect(await alarms()).toEqual(first);
    expect(await alarms('--preset', 'balanced', '--preset', 'eager')).toEqual(first);
    expect(await alarms('--days', '0.00001')).toEqual([]);

    const explained = await run('backtest', folder, '--json', '--explain', String(first[0]?.['id']));
    expect(records(explained.lines)).toMatchObject([{ kind: 'explanation', id: first[0]?.['id'], cleared: null }]);
    const { evidence } = records(explained.lines)[0] as { evidence: unknown[] };
    expect(evidence).toHaveLength(4);
    expect(evidence[0]).toEqual({ line: 1, endLine: 2, role: 'first', call: 'make', result: 'no rule to make target' });
  });

  it('leaves secrets out of its explanations', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
    const folder = transcript(4, undefined, `curl -H 'Authorization: Bearer ${secret}' https://example.org`);
    const args = ['backtest', folder, '--preset', 'balanced'];
    const listed = await run(...args, '--json');
    const id = String(records(listed.lines).find(({ kind }) => kind === 'alarm')?.['id']);
    const told = [await run(...args, '--explain', id), await run(...args, '--explain', id, '--json'), listed];
    for (const { lines } of told) expect(lines.join('\n')).not.toContain(secret);
    expect(told[0]?.lines.join('\n')).toContain('example.org');
  });

  it('reports what is wrong with its arguments in one line', async () => {
    for (const args of [['--days', 'x'], ['--preset', 'lazy'], ['--set', 'cycle.stuk=3'], ['/does/not/exist']]) {
      const { code, lines, notes } = await run('backtest', ...args);
      expect({ code, lines, notes: notes.length }).toEqual({ code: 2, lines: [], notes: 1 });
    }
  });
});

describe('scan --why', () => {
  it('also shows what came nearest before a person wrote again', async () => {
    const folder = transcript(2);
    appendFileSync(
      join(folder, 'one.agent.jsonl'),
      `${JSON.stringify({ v: 1, type: 'user', text: 'Now the docs' })}\n`,
    );
    const { lines } = await run('scan', folder, '--why', '--json');
    expect(records(lines)).toContainEqual(expect.objectContaining({ detector: 'repeating_action', reached: 2 }));
  });

  it('shows how near the other rules came, and what held each back', async () => {
    const folder = transcript(2);
    const { lines } = await run('scan', folder, '--why', '--json');
    expect(records(lines).filter(({ kind }) => kind === 'near_miss')).toContainEqual({
      kind: 'near_miss',
      file: join(folder, 'one.agent.jsonl'),
      agent: 'generic',
      session: 'one',
      detector: 'repeating_action',
      rule: null,
      nearest: 'make',
      reached: 2,
      limit: 4,
      heldBackBy: null,
      line: 4,
    });
    const table = (await run('scan', folder, '--why')).lines;
    expect(table).toContainEqual(expect.stringMatching(/^ +Rule +Nearest +Reached +Why it did not fire$/));
    expect(table).toContainEqual(expect.stringMatching(/^ +repeating_action +make +2 of 4$/));
    expect((await run('scan', folder, '--json')).lines.some((line) => line.includes('near_miss'))).toBe(false);
  });

  it('does not ask why an agent is not stuck that is', async () => {
    const { lines } = await run('scan', transcript(6), '--why');
    expect(lines).toContainEqual(expect.stringContaining('stuck repeating_action'));
    expect(lines).toContain('  No other rule came close.');
  });
});
