/**
 * Seven agents of one window in situations that other tools do not see: each needs its person, and each is freed differently. For pictures (`node
 * test/truth/pictures.mjs freed`), in five minutes.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeCode } from './agents/claude-code.mjs';
import { codex } from './agents/codex.mjs';

/** The prompt of each, which is its name. */
export const FREED = {
  runs: 'Make the test of this shop pass',
  root: 'Bump the version of all packages',
  worktree: 'Try the new parser in a worktree',
  missed: 'Build the shop, then publish it',
  child: 'Have the release notes reviewed',
  hook: 'Tidy up the checkout module',
  limit: 'Port the date parser',
};

const STEP_SECONDS = 20;

/** @param {{ home: string, workspace: string, start: number, now: () => number }} options */
export function createFreedScene({ home, workspace, start, now }) {
  const root = dirname(workspace);
  // The open folder is a part of a repository.
  spawnSync('git', ['init', '-q', root]);
  fs.mkdirSync(join(home, '.claude'), { recursive: true });
  const gate = { type: 'command', command: './scripts/changelog-gate.sh' };
  fs.writeFileSync(
    join(home, '.claude/settings.json'),
    JSON.stringify({ hooks: { Stop: [{ hooks: [gate] }] } }, null, 2),
  );

  /** @type {{ second: number, act: () => void }[]} */
  const acts = [];
  const on = (/** @type {number} */ second, /** @type {() => void} */ act) => acts.push({ second, act });
  let number = 0;
  const made = { home, workspace, now };
  const agent = (/** @type {{ cwd?: string, entrypoint?: string }} */ more = {}) =>
    claudeCode({ ...made, number: ++number, ...more });
  const fails = (
    /** @type {ReturnType<typeof claudeCode>} */ one,
    /** @type {string} */ command,
    /** @type {string} */ result,
  ) => {
    one.call('Bash', { command });
    one.result(result, true);
  };
  /** @type {{ end: () => void }[]} */
  const ends = [];

  // A script starts it again and again, and each run fails twice in the same way.
  for (let run = 0; run < 4; run++) {
    /** @type {ReturnType<typeof claudeCode> | undefined} */
    let one;
    const second = 5 + run * 45;
    on(second, () => {
      one = agent({ entrypoint: 'sdk-cli' });
      ends.push(one);
      one.prompt(FREED.runs);
    });
    for (const later of [8, 20])
      on(second + later, () => one && fails(one, 'npm test', 'FAIL total: expected 7, got 5'));
    // The last one is still working.
    if (run < 3)
      on(second + 30, () => {
        one?.answer('I could not repair it in this run.');
        one?.end();
      });
  }

  const atRoot = agent({ cwd: root });
  ends.push(atRoot);
  on(5, () => atRoot.prompt(FREED.root));
  for (let round = 0; round < 8; round++)
    on(15 + round * STEP_SECONDS, () =>
      fails(atRoot, 'npm run version:all', 'Error: packages/api has uncommitted changes'),
    );

  const inTree = agent();
  ends.push(inTree);
  on(5, () => inTree.prompt(FREED.worktree));
  on(15, () => {
    const tree = join(workspace, '.claude/worktrees/new-parser');
    inTree.call('EnterWorktree', { name: 'new-parser' });
    fs.mkdirSync(tree, { recursive: true });
    inTree.movesTo(tree, 'worktree-new-parser');
    inTree.result(`Created and entered the worktree ${tree}`);
  });
  for (let round = 0; round < 8; round++)
    on(25 + round * STEP_SECONDS, () =>
      fails(inTree, 'pytest -q tests/test_parser.py', 'E   assert 5 == 6\n1 failed in 0.10s'),
    );

  // Codex reports neither end.
  const builds = codex({ ...made, number: 21 });
  ends.push(builds);
  on(5, () => builds.prompt(FREED.missed));
  on(15, () => builds.leaves('npm run build'));
  on(25, () => builds.answer('The build runs. I publish it when it has ended.'));
  on(60, () => builds.leftEnds('npm run build', '3 files built'));
  const delegates = codex({ ...made, number: 22 });
  ends.push(delegates);
  on(5, () => delegates.prompt(FREED.child));
  on(15, () => delegates.spawns('Review the release notes', 'reviewer-thread'));
  on(25, () => delegates.answer('I wait for the review.'));
  on(70, () => delegates.childEnds('reviewer-thread', 'Two of the links are broken.'));

  const held = agent();
  ends.push(held);
  on(5, () => held.prompt(FREED.hook));
  for (let block = 0; block < 6; block++)
    on(60 + block * 25, () => {
      held.says('The module is tidy, and all of it is done.');
      held.sentBack(gate.command, 'CHANGELOG.md has no entry for this change.');
    });

  const limited = agent();
  ends.push(limited);
  on(5, () => limited.prompt(FREED.limit));
  on(40, () => limited.limitReached(clockOf(start + 2 * 60_000)));

  // An agent whose shell moves its files, so that only its process reveals it.
  const moved = join(root, 'work-account');
  fs.mkdirSync(moved);
  const elsewhere = spawn('/bin/bash', ['-c', 'exec -a copilot sleep 100000'], {
    cwd: workspace,
    env: { ...process.env, HOME: home, COPILOT_HOME: moved },
    stdio: 'ignore',
  });
  ends.push({ end: () => void elsewhere.kill('SIGKILL') });

  acts.sort((a, b) => a.second - b.second);
  let next = 0;
  return {
    playTo: (/** @type {number} */ second) => {
      for (; next < acts.length && (acts[next]?.second ?? 0) <= second; next++) acts[next]?.act();
    },
    end: () => {
      for (const one of ends) one.end();
    },
  };
}

/** Formats when a limit opens as Claude Code does: `3:20pm (UTC)`. */
export function clockOf(/** @type {number} */ time) {
  const date = new Date(time);
  const hour = date.getUTCHours();
  const minute = String(date.getUTCMinutes()).padStart(2, '0');
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minute}${hour < 12 ? 'am' : 'pm'} (UTC)`;
}
