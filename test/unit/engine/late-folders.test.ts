import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../support/patience';
import { engineOver, homeFolder } from './support';

const FOLDERS = 5;
const SESSIONS = 4;

/** A workspace of several folders, each with sessions of Claude Code, and a window that does not know any of them yet. */
function window() {
  const home = homeFolder();
  const folders = Array.from({ length: FOLDERS }, (_, index) => join(home, `project-${index + 1}`));
  for (const [index, folder] of folders.entries()) {
    const projects = join(home, '.claude/projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
    for (const path of [folder, projects]) mkdirSync(path, { recursive: true });
    for (let of = 0; of < SESSIONS; of++) {
      const session = `00000000-0000-4000-8000-${String(index * SESSIONS + of).padStart(12, '0')}`;
      const record = {
        type: 'user',
        uuid: session,
        sessionId: session,
        isSidechain: false,
        cwd: folder,
        version: '2.1.329',
        timestamp: new Date().toISOString(),
        message: { role: 'user', content: 'Mend the parser' },
      };
      writeFileSync(join(projects, `${session}.jsonl`), `${JSON.stringify(record)}\n`);
    }
  }
  const { engine, tail, settings } = engineOver(home, '', { settings: { folders: [], walksFolders: false } });
  return {
    engine,
    folders,
    open: (some: readonly string[]) => engine.configure({ ...settings, folders: some }),
    counts: () => [engine.agents().length, engine.otherSessions().length],
    end: () => {
      engine.dispose();
      tail.dispose();
    },
  };
}

describe('the folders of a workspace that the editor opens after the window has started', () => {
  it('have their agents as soon as each is there, although these were sessions of other folders before', async () => {
    const { engine, folders, open, counts, end } = window();
    engine.start();
    await vi.waitFor(() => expect(counts()).toEqual([0, FOLDERS * SESSIONS]), PATIENCE);
    for (let there = 1; there <= FOLDERS; there++) {
      open(folders.slice(0, there));
      await vi.waitFor(() => expect(counts()).toEqual([there * SESSIONS, (FOLDERS - there) * SESSIONS]), PATIENCE);
    }
    end();
  });

  it('have all of their agents if they come while the sessions are still being checked', async () => {
    for (let turns = 0; turns < 40; turns += 4) {
      const { engine, folders, open, counts, end } = window();
      engine.start();
      for (let there = 1; there <= FOLDERS; there++) {
        for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
        open(folders.slice(0, there));
      }
      await vi.waitFor(() => expect(counts()).toEqual([FOLDERS * SESSIONS, 0]), PATIENCE);
      end();
    }
  });
});
