import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { encodeFolder } from '../../../src/agents/claude-code/locate';
import { PATIENCE } from '../../support/patience';
import { homeFolder, stage } from './support';

const SESSION = '01234567-89ab-4def-8123-456789abcdef';

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A repository with a worktree in it, as git writes them, and the store of Claude Code. */
function repository(home: string) {
  const main = join(home, 'work');
  const tree = join(main, '.claude/worktrees/fix');
  write(join(main, '.git/HEAD'), 'ref: refs/heads/main\n');
  write(join(main, '.git/worktrees/fix/gitdir'), `${tree}/.git\n`);
  write(join(main, '.git/worktrees/fix/commondir'), '../..\n');
  write(join(tree, '.git'), `gitdir: ${main}/.git/worktrees/fix\n`);
  const fileIn = (folder: string) => join(home, '.claude/projects', encodeFolder(folder), `${SESSION}.jsonl`);
  return { main, tree, fileIn };
}

function line(cwd: string, number: number, content: string): string {
  return `${JSON.stringify({
    parentUuid: number === 0 ? null : `u${number - 1}`,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: SESSION,
    version: '2.1.329',
    type: 'user',
    message: { role: 'user', content },
    uuid: `u${number}`,
    timestamp: new Date().toISOString(),
  })}\n`;
}

/** The session begins in the repository and enters the worktree: its transcript is moved, and continues there. */
function enterTree({ main, tree, fileIn }: ReturnType<typeof repository>): string {
  const file = fileIn(tree);
  mkdirSync(dirname(file), { recursive: true });
  renameSync(fileIn(main), file);
  appendFileSync(file, line(tree, 1, 'Go on.'));
  return file;
}

it('a session that enters a worktree is still followed, and is not reported as deleted', async () => {
  const { engine, home } = stage();
  const made = repository(home);
  write(made.fileIn(made.main), line(made.main, 0, 'Fix the test.'));
  engine.start();
  await vi.waitFor(() => expect(engine.agent(SESSION)?.cwd).toBe(made.main), PATIENCE);
  const file = enterTree(made);
  await vi.waitFor(() => expect(engine.agent(SESSION)).toMatchObject({ deleted: false, file }), PATIENCE);
  expect(engine.agents()).toHaveLength(1);
});

it('a session that has entered the open worktree is found from there, but no other session of the repository is', async () => {
  const home = homeFolder();
  const { engine } = stage({ home, settings: { folders: [join(home, 'work/.claude/worktrees/fix')] } });
  const made = repository(home);
  write(made.fileIn(made.main), line(made.main, 0, 'Fix the test.'));
  const stays = join(dirname(made.fileIn(made.main)), 'fedcba98-89ab-4def-8123-456789abcdef.jsonl');
  write(stays, line(made.main, 0, 'Stay.').replaceAll(SESSION, 'fedcba98-89ab-4def-8123-456789abcdef'));
  engine.start();
  await vi.waitFor(() => expect(engine.otherSessions()).toHaveLength(2), PATIENCE);
  expect(engine.agents()).toEqual([]);
  enterTree(made);
  await vi.waitFor(() => expect(engine.agents().map(({ session }) => session)).toEqual([SESSION]), PATIENCE);
});
