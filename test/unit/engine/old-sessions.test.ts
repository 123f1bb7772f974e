import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemProbe } from '../../../src/engine/follow/probe';
import { type TailFs, systemFs } from '../../../src/base/tail/file-system';
import { genericLines, stage } from './support';
import { PATIENCE } from '../../support/patience';

const recording = readFileSync(resolve(__dirname, '../../../media/demo/same-command.jsonl'), 'utf8').split('\n');
const id = (number: number) => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A file system that remembers which files were opened. */
function noting() {
  const opened: string[] = [];
  const fs: TailFs = {
    ...systemFs,
    open: (path) => {
      opened.push(path);
      return systemFs.open(path);
    },
  };
  return { fs, opened };
}

/** A transcript of Claude Code that was last written this many days ago. */
function session(folder: string, number: number, cwd: string, daysAgo: number): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id(number)}.jsonl`);
  const at = Date.now() - daysAgo * 86_400_000;
  const moved = (line: string) =>
    line
      .split('/home/dev/project')
      .join(cwd)
      .replace(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date(at).toISOString()}"`);
  writeFileSync(
    file,
    recording
      .slice(0, 20)
      .map((line) => `${moved(line)}\n`)
      .join(''),
  );
  utimesSync(file, at / 1000, at / 1000);
  return file;
}

const projectOf = (home: string, cwd: string) => join(home, '.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));

describe('sessions that were over before the window opened', () => {
  it('are not opened at the start; the history opens each once, the newest first, and none older than it keeps', async () => {
    const { fs, opened } = noting();
    const { engine, home, workspace } = stage({ fs });
    const folder = projectOf(home, workspace);
    for (let number = 1; number <= 20; number++) session(folder, number, workspace, number + 1);
    session(folder, 21, workspace, 91);
    const fresh = session(folder, 22, workspace, 0);
    engine.start();
    await vi.waitFor(() => expect(engine.agents().length).toBe(1), PATIENCE);
    expect(new Set(opened)).toEqual(new Set([fresh]));

    const first = await engine.earlierTranscripts(() => false, 5);
    expect(first.transcripts.map(({ file }) => file)).toEqual(
      [1, 2, 3, 4, 5].map((n) => join(folder, `${id(n)}.jsonl`)),
    );
    const known = new Set(first.transcripts.map(({ file }) => file));
    opened.length = 0;
    const all = await engine.earlierTranscripts(({ path }) => known.has(path), 100);
    expect(all.transcripts.length).toBe(20);
    expect(opened.length).toBe(15);
  });

  //   the history reads the first lines of a transcript │ the window closes │ they are there, and nobody looks at them
  it('belong to no other folder because the window closed while they were being looked at', async () => {
    let isRead = false;
    let release = () => {};
    const closed = new Promise<void>((resolve) => (release = resolve));
    const open: TailFs['open'] = async (path) => {
      isRead = true;
      await closed;
      return systemFs.open(path);
    };
    const { engine, home, workspace } = stage({ fs: { ...systemFs, open } });
    session(projectOf(home, workspace), 1, workspace, 3);
    engine.start();
    let found: Awaited<ReturnType<typeof engine.earlierTranscripts>> | undefined;
    await vi.waitFor(() => {
      if (!isRead) void engine.earlierTranscripts(() => false, 5).then((result) => (found = result));
      expect(isRead).toBe(true);
    }, PATIENCE);
    engine.dispose();
    found = undefined;
    release();
    await vi.waitFor(() => expect(found).toEqual({ transcripts: [], elsewhere: [] }), PATIENCE);
  });

  it('belong to no other folder because their first lines could not be read', async () => {
    let tries = 0;
    const open: TailFs['open'] = async () => {
      tries++;
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    };
    const { engine, home, workspace } = stage({ fs: { ...systemFs, open } });
    session(projectOf(home, workspace), 1, workspace, 3);
    engine.start();
    const elsewhere: unknown[] = [];
    await vi.waitFor(async () => {
      elsewhere.push(...(await engine.earlierTranscripts(() => false, 5)).elsewhere);
      expect(tries).toBeGreaterThan(0);
    }, PATIENCE);
    expect(elsewhere).toEqual([]);
  });

  it('are followed when they continue', async () => {
    const { engine, home, workspace } = stage();
    const file = session(projectOf(home, workspace), 1, workspace, 30);
    engine.start();
    await new Promise((done) => setTimeout(done, 200));
    expect(engine.agents()).toEqual([]);
    appendFileSync(
      file,
      `${(recording[22] ?? '')
        .split('/home/dev/project')
        .join(workspace)
        .replace(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date().toISOString()}"`)}\n`,
    );
    await vi.waitFor(() => expect(engine.agents().map((view) => view.session)).toEqual([id(1)]), PATIENCE);
  });

  it('are followed if their process lives', async () => {
    const probe = {
      ...systemProbe,
      list: (folder: string) => (folder.endsWith('.claude/sessions') ? ['77.json'] : []),
      read: (path: string) =>
        path.endsWith('77.json') ? JSON.stringify({ pid: 77, sessionId: id(1), procStart: '5' }) : undefined,
      processStart: () => '5',
    };
    const { engine, home, workspace } = stage({ probe });
    const folder = projectOf(home, workspace);
    session(folder, 1, workspace, 3);
    session(folder, 2, workspace, 3);
    engine.start();
    await vi.waitFor(() => expect(engine.agents().map((view) => view.session)).toEqual([id(1)]), PATIENCE);
  });
});

describe('sessions of other folders', () => {
  it('are named although their folders have other names; the old ones and their sub-agents are not opened', async () => {
    const { fs, opened } = noting();
    const { engine, home, workspace } = stage({ fs });
    session(projectOf(home, workspace), 1, workspace, 0);
    const elsewhere = projectOf(home, '/somewhere/else');
    const fresh = session(elsewhere, 2, '/somewhere/else', 0);
    const old = session(elsewhere, 3, '/somewhere/else', 5);
    const sub = session(join(elsewhere, id(2), 'subagents'), 4, '/somewhere/else', 0);
    engine.start();
    await vi.waitFor(() => expect(engine.otherSessions().map((other) => other.file)).toEqual([fresh]), PATIENCE);
    expect(opened).not.toContain(old);
    expect(opened).not.toContain(sub);
    const later = session(projectOf(home, '/third'), 5, '/third', 0);
    await vi.waitFor(() => expect(engine.otherSessions().map((other) => other.file)).toEqual([fresh, later]), PATIENCE);
    expect(engine.agents().map((view) => view.session)).toEqual([id(1)]);
    // Nor for the history of this folder: the names of their folders say which sessions they hold.
    await engine.earlierTranscripts(() => false, 10);
    expect(opened).not.toContain(old);
  });
});

describe('transcripts in the workspace', () => {
  //   aider writes one time for each chat; SWE-agent none
  it('of agents that write no times are followed from their first change on: a checkout creates no agents', async () => {
    const { engine, workspace } = stage();
    const chat = join(workspace, '.aider.chat.history.md');
    writeFileSync(chat, '\n# aider chat started at 2024-01-02 10:00:00\n\n#### mend the parser\n\nI will.\n');
    const run = join(workspace, 'trajectories/one.traj');
    mkdirSync(join(workspace, 'trajectories'));
    const step = { action: 'ls\n', observation: 'a.py\n', response: 'x', state: '{}', thought: 'look' };
    const trajectory = (steps: number) =>
      JSON.stringify({
        trajectory: Array.from({ length: steps }, () => step),
        history: [{ role: 'user', content: 'mend it' }],
        info: {},
      });
    writeFileSync(run, trajectory(1));
    writeFileSync(join(workspace, 'other.traj'), '{"points": [1, 2, 3]}');
    writeFileSync(join(workspace, 'one.agent.jsonl'), `${genericLines('one', 1).join('\n')}\n`);
    engine.start();
    const agents = () =>
      engine
        .agents()
        .map((view) => `${view.agent} ${view.coverage.seen}`)
        .sort();
    await vi.waitFor(() => expect(agents()).toEqual(['generic 1']), PATIENCE);
    await new Promise((done) => setTimeout(done, 200));
    expect(agents()).toEqual(['generic 1']);

    appendFileSync(chat, '\n> Applied edit to src/parser.ts\n');
    writeFileSync(run, trajectory(2));
    // one of them has the name of another agent's session
    await vi.waitFor(() => expect(agents()).toEqual(['aider 1', 'generic 1', 'swe-agent 2']), PATIENCE);
    expect(new Set(engine.agents().map((view) => view.session)).size).toBe(3);
  });
});
