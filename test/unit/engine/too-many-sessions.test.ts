import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { generic } from '../../../src/agents/generic/adapter';
import { resolveOptions } from '../../../src/detect/session/options';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { SESSIONS_IN_ALL, SESSIONS_OF_FOLDERS } from '../../../src/engine/follow/room';
import { SESSIONS_OF_A_FILE } from '../../../src/engine/follow/transcript';
import { scanFile } from '../../../src/engine/scan-cache';
import { PATIENCE } from '../../support/patience';
import { genericLines, homeFolder, stage, upToNow } from './support';

/** Each session took 35 KB of memory, so a file of a megabyte could end the extension host. */
const lines = (name: string, sessions: number, t = Date.now()): string =>
  Array.from({ length: sessions }, (_, number) =>
    JSON.stringify({ v: 1, t, session: `${name}${number}`, type: 'user', text: 'x' }),
  ).join('\n');

const FILES = Array.from({ length: 6 }, (_, file) => `f${file}.agent.jsonl`);
const recording = readFileSync(resolve(__dirname, '../../../media/demo/same-command.jsonl'), 'utf8');

/** Six files of 200 sessions in a folder, as a repository could contain them. */
function crowd(folder: string, at: () => number): string[] {
  return FILES.map((name) => {
    const file = join(folder, name);
    writeFileSync(file, `${lines(`${name}-`, SESSIONS_OF_A_FILE, at())}\n`);
    return file;
  });
}

const LOOPING = '11111111-0000-4000-8000-00000000000a';

/** Claude Code repeats a command in this folder, all of it after the engine has started: its half second ends in a moment. */
function loops(home: string, folder: string): string {
  const store = join(home, '.claude/projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(store, { recursive: true });
  const file = join(store, `${LOOPING}.jsonl`);
  writeFileSync(file, upToNow(recording.replaceAll('/home/dev/project', folder), Date.now() + 2_000));
  return file;
}

/** The generic transcript as if an agent kept it in its own store. */
function storing(store: string, cwd: string): AgentAdapter {
  const matches = (path: string) => path.endsWith('.agent.jsonl');
  return { ...generic, locate: () => [{ path: store, depth: 0, matches, cwd }] };
}

describe('too many sessions', () => {
  it('of 20,000 in one file, 200 are kept and the rest is reported once', async () => {
    const file = join(homeFolder(), 'many.agent.jsonl');
    writeFileSync(file, `${lines('s', 20_000)}\n${lines('s', 8)}\n`);
    const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} }, 'generic');
    const { sessions } = await scanFile(file, { adapter: generic, detectors, readSmall: () => undefined });
    expect(sessions).toHaveLength(SESSIONS_OF_A_FILE);
    const why = 'more than 200 sessions in one file: the others are left out';
    expect(sessions.flatMap(({ skipped }) => skipped)).toMatchObject([{ line: 201, why }]);
    // A known one continues.
    const events = (name: string) => sessions.find(({ session }) => session === name)?.events ?? 0;
    expect(events('s7')).toBeGreaterThan(events('s8'));
  });

  it('of 1,200 in six files of a folder, 200 are followed and the rest is named', async () => {
    const { engine, workspace } = stage();
    crowd(workspace, () => Date.now());
    engine.start();
    await vi.waitFor(() => expect(engine.unreadFiles()).toHaveLength(5), PATIENCE);
    expect(engine.agents()).toHaveLength(SESSIONS_OF_FOLDERS);
    const [followed] = new Set(engine.agents().map(({ file }) => file));
    const all = FILES.map((name) => join(workspace, name));
    expect(engine.unreadFiles().map(({ file }) => file)).toEqual(
      expect.arrayContaining(all.filter((file) => file !== followed)),
    );
    expect(engine.unreadFiles()[0]?.why).toMatch(/^left out.*unstuck\.sessions\.maxAge/);
  });

  it.each([
    ['far ahead', () => Date.parse('2099-01-01T00:00:00.000Z')],
    ['a little ahead', () => Date.now() + 3_600_000],
    ['now', () => Date.now()],
  ])('of a folder, at times %s, hide no agent that begins to loop later', async (_, at) => {
    const { engine, home, workspace } = stage();
    crowd(workspace, at);
    engine.start();
    await vi.waitFor(() => expect(engine.agents()).toHaveLength(SESSIONS_OF_FOLDERS), PATIENCE);
    const file = loops(home, workspace);
    const alarm = expect.objectContaining({ file, level: 'stuck', history: false });
    await vi.waitFor(() => expect(engine.incidentsOf(LOOPING)).toContainEqual(alarm), PATIENCE);
    expect(engine.agents().map((one) => one.file)).toContain(file);
    expect(engine.unreadFiles().map((one) => one.file)).not.toContain(file);
  });

  it('of a folder make room for one that is being written there, from its first line on', async () => {
    const { engine, workspace } = stage();
    const files = crowd(workspace, () => Date.now());
    const anHourAgo = Date.now() / 1000 - 3_600;
    for (const file of files) utimesSync(file, anHourAgo, anHourAgo);
    const left = join(workspace, 'mine.agent.jsonl');
    const before = genericLines('mine', 5, Date.now() - 7_200_000)
      .join('\n')
      .replace('Mend', 'First mend');
    writeFileSync(left, `${before}\n`);
    utimesSync(left, anHourAgo - 3_600, anHourAgo - 3_600);
    engine.start();
    await vi.waitFor(() => expect(engine.unreadFiles().map(({ file }) => file)).toContain(left), PATIENCE);
    expect(engine.session('mine')).toBeUndefined();
    await vi.waitFor(() => {
      appendFileSync(left, `${genericLines('mine', 1).join('\n')}\n`);
      expect(engine.agent('mine')?.title).toBe('First mend the parser');
    }, PATIENCE);
    expect(engine.agents()).toHaveLength(SESSIONS_OF_FOLDERS);
    expect(engine.unreadFiles().map(({ file }) => file)).not.toContain(left);
  });

  it('of agents’ own stores push out those of the folders, then the oldest, and never those of the file that is being read', async () => {
    const home = homeFolder();
    const store = join(home, 'store');
    mkdirSync(store);
    const { engine, workspace } = stage({ home, adapters: [storing(store, join(home, 'work'))] });
    const [first = ''] = crowd(workspace, () => Date.now());
    engine.start();
    await vi.waitFor(() => expect(engine.agents()).toHaveLength(SESSIONS_OF_FOLDERS), PATIENCE);
    const write = (file: number) =>
      writeFileSync(join(store, `s${file}.agent.jsonl`), `${lines(`s${file}-`, SESSIONS_OF_A_FILE)}\n`);
    const from = (path: string) => engine.agents().filter(({ file }) => file.startsWith(path)).length;
    for (let file = 0; file < 4; file++) write(file);
    const read = (session: string) =>
      vi.waitFor(() => expect(engine.session(session) !== undefined).toBe(true), PATIENCE);
    for (let file = 0; file < 4; file++) await read(`s${file}-199`);
    expect(from(store)).toBe(800);
    expect(from(workspace)).toBe(SESSIONS_OF_FOLDERS);
    write(4);
    await read('s4-199');
    expect(from(store)).toBe(SESSIONS_IN_ALL);
    expect(engine.unreadFiles().map(({ file }) => file)).toContain(first);
    write(5);
    await read('s5-199');
    expect(from(join(store, 's5'))).toBe(SESSIONS_OF_A_FILE);
    expect(from(store)).toBe(SESSIONS_IN_ALL);
    expect(from(join(store, 's4'))).toBe(SESSIONS_OF_A_FILE);
    // Those that were lost last, from a store, come first.
    expect(engine.unreadFiles()[0]?.file.startsWith(store)).toBe(true);
  });
});
