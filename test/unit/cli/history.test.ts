import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventsCommand } from '../../../src/cli/commands/events-command';
import { folderUri } from '../../../src/cli/history';
import { runCommandLine } from '../../../src/cli/command-line';
import type { Output } from '../../../src/cli/output';
import { recallCommand } from '../../../src/cli/commands/recall-command';
import { systemClock } from '../../../src/base/clock';
import { openStore } from '../../../src/history';
import { silentLog } from '../../../src/base/util/log';
import { T0, incident } from '../history/support/incidents';
import { WASM } from '../history/support/make';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

function printed() {
  const lines: string[] = [];
  const notes: string[] = [];
  const output: Output = { line: (text) => lines.push(text), note: (text) => notes.push(text), isTerminal: false };
  return { lines, notes, output, json: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

/** A machine on which an editor has kept the history of one folder. */
async function history() {
  const home = mkdtempSync(join(tmpdir(), 'unstuck-cli-'));
  homes.push(home);
  const folder = join(home, 'my project');
  mkdirSync(folder);
  const name = createHash('sha256').update(folderUri(folder)).digest('hex').slice(0, 16);
  const path = join(home, '.config/Code/User/globalStorage/someone.unstuck/incidents', name);
  const store = await openStore({
    folder: path,
    wasm: WASM,
    clock: systemClock,
    window: 'w',
    log: silentLog,
    settleMs: 0,
  });
  const recovered = incident({
    state: 'recovered',
    resolvedAt: T0 + 900_000,
    cleared: 'different_result',
    outcome: 'nudge',
  });
  await store.save(recovered);
  const event = (t: number, type: 'Recovery' | 'ApprovalRequested', session: string, data: object) =>
    store.appendEvent({ t, type, session, agent: 'claude-code', incident: recovered.id, data: { ...data } });
  await event(T0, 'Recovery', 'session-1', { action: 'nudge', rung: 2, reason: 'clicked', result: 'sent' });
  await event(T0 + 1000, 'Recovery', 'session-2', { action: 'nudge', rung: 2, reason: 'clicked', result: 'sent' });
  await event(T0 + 2000, 'ApprovalRequested', 'session-1', { reason: 'two_failures' });
  await store.close();
  return { home, folder, path, place: { home, env: {}, platform: 'linux' as const } };
}

/** Moves the journal of a window into the snapshot. */
async function compacted(path: string): Promise<void> {
  const settings = { folder: path, wasm: WASM, clock: systemClock, window: 'x', log: silentLog, settleMs: 0 };
  const store = await openStore({ ...settings, stays: false });
  expect(await store.compact()).toMatchObject({ done: true });
  await store.close();
}

describe('the event log on the command line', () => {
  it('reports contradictions in it, and nothing for a consistent log', async () => {
    const { path } = await history();
    const { output, lines } = printed();
    expect(await eventsCommand(['--store', path, '--check'], output)).toBe(1);
    expect(lines[0]).toMatch(
      /learned_otherwise {2}\S+ {2}The learning says recovered, and the incident is not over\.$/,
    );
    expect(lines[1]).toBe('4 events, 1 contradiction');
    const own = printed();
    expect(await eventsCommand(['--store', path, '--check', '--session', 'session-2'], own.output)).toBe(0);
    expect(own.lines).toEqual(['1 event, 0 contradictions']);
  });

  it('finds the history that an editor kept for the folder, and filters by type and session', async () => {
    const { folder, place } = await history();
    const all = printed();
    expect(await eventsCommand(['--folder', folder, '--json'], all.output, place)).toBe(0);
    expect(all.json().map((event) => event['type'])).toEqual(['Recovery', 'Recovery', 'ApprovalRequested', 'Learning']);
    const some = printed();
    await eventsCommand(
      ['--folder', folder, '--type', 'Recovery', '--session', 'session-1', '--json'],
      some.output,
      place,
    );
    expect(some.json()).toEqual([
      {
        kind: 'event',
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        t: '2026-11-20T17:00:00.000Z',
        type: 'Recovery',
        session: 'session-1',
        agent: 'claude-code',
        incident: expect.any(String),
        data: { action: 'nudge', rung: 2, reason: 'clicked', result: 'sent' },
      },
    ]);
    const words = printed();
    await eventsCommand(['--folder', folder, '--type', 'recovery', '--limit', '1'], words.output, place);
    expect(words.lines).toEqual(['2026-11-20T17:00:01.000Z  Recovery  session-2  nudge sent, clicked']);
  });

  it('recalls the learning and the incident by words', async () => {
    const { path } = await history();
    const found = printed();
    expect(await recallCommand(['stuck', 'repeating', '--store', path, '--json'], found.output)).toBe(0);
    expect(found.json().map((hit) => hit['kind'])).toEqual(expect.arrayContaining(['learning', 'incident']));
    expect(found.json().find((hit) => hit['kind'] === 'learning')).toMatchObject({
      title: expect.stringContaining('repeating_action'),
      tags: expect.arrayContaining(['stuck', 'repeating_action']),
      score: expect.any(Number),
    });
    expect(found.json().find((hit) => hit['kind'] === 'incident')).toMatchObject({
      state: 'recovered',
      outcome: 'nudge',
    });
  });

  it('reports besides the answer, each on a line of standard error, that the history was damaged and what happened to it', async () => {
    const { path } = await history();
    await compacted(path);
    writeFileSync(join(path, 'incidents.sqlite'), '');
    for (const [name, run] of [
      ['events', (output: Output) => eventsCommand(['--store', path], output)],
      ['recall', (output: Output) => recallCommand(['pytest', '--store', path], output)],
    ] as const) {
      const said = printed();
      expect(await run(said.output)).toBe(0);
      const [aside] = readdirSync(path).filter((file) => file.includes('.corrupt-'));
      const [note = ''] = said.notes;
      expect(note.slice(0, note.indexOf(':', 30))).toBe(`unstuck ${name}: The history was damaged`);
      expect(note).toContain(`The damaged file is kept: ${join(path, aside ?? '')}. If you have a backup`);
    }
  });

  it('reports in one line what is wrong', async () => {
    const { folder, home, place } = await history();
    const cases: [string[], RegExp][] = [
      [['events', '--type', 'Nonsense'], /no type "Nonsense"/],
      [['events', 'word'], /takes options only/],
      [['events', '--check', '--type', 'Gate'], /--check reads whole incidents/],
      [['events', '--store', join(home, 'none')], /there is no history in/],
      [['recall'], /name the words to look for/],
    ];
    for (const [args, message] of cases) {
      const said = printed();
      expect(await runCommandLine(args, said.output, Promise.resolve())).toBe(2);
      expect(said.notes.join('\n')).toMatch(message);
    }
    await expect(eventsCommand(['--folder', home], printed().output, place)).rejects.toThrow(/no editor has a history/);
    const named = { ...place, env: { UNSTUCK_STORE: join(home, 'nowhere') } };
    await expect(eventsCommand(['--folder', folder], printed().output, named)).rejects.toThrow(/no history in/);
  });

  it('finds the history of a folder where variables are set but empty', async () => {
    const { folder, place } = await history();
    const empty = { ...place, env: { UNSTUCK_STORE: '', XDG_CONFIG_HOME: '' } };
    const { output, json } = printed();
    expect(await eventsCommand(['--folder', folder, '--json'], output, empty)).toBe(0);
    expect(json().map(({ session }) => session)).toContain('session-2');
  });

  it('writes the folder as the editor does', () => {
    expect(folderUri('/home/me/a b (1)/ü')).toBe('file:///home/me/a%20b%20%281%29/%C3%BC');
    expect(folderUri('C:\\Users\\me')).toBe('file:///c%3A/Users/me');
  });
});
