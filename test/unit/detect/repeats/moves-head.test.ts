import { describe, expect, it } from 'vitest';
import type { Script } from '../support/script';
import { begin, isStuck, pytest, sh } from './telling';

/** This many rounds of a git command, whose output is different each time, and of the same failing tests. */
const rounds = (command: string, printed: (n: number) => string, count = 6): Script =>
  begin().times(count, (run, n) => pytest(sh(run, command.replaceAll('%n', String(n)), printed(n)), 'test_total'));

const COMMITS = ['parse', 'sum', 'mean', 'print', 'read', 'write', 'sort', 'join'];

describe('the same tests fail on another commit each time', () => {
  it.each([
    ['git bisect bad', (n: number) => `Bisecting: ${60 >> n} revisions left to test after this\n${COMMITS[n]} first`],
    ['git bisect skip', (n: number) => `Bisecting: ${60 - n} revisions left to test after this\n${COMMITS[n]} first`],
    ['git checkout HEAD~1', (n: number) => `HEAD is now at the commit "${COMMITS[n]} first"`],
    ['git checkout v1.%n.0', (n: number) => `HEAD is now at the commit "${COMMITS[n]} first"`],
    ['git switch topic-%n', (n: number) => `Switched to branch 'topic-${n}'`],
    ['git rebase --continue', (n: number) => `Applied: ${COMMITS[n]} first`],
    ['git merge topic-%n', (n: number) => `Merge made by the 'ort' strategy: ${COMMITS[n]}.py`],
    ['git pull', (n: number) => `Fast-forward: ${COMMITS[n]}.py`],
    ['git reset --hard HEAD~1', (n: number) => `HEAD is now at the commit "${COMMITS[n]} first"`],
  ])('%s: what is tested is never the same', (command, printed) => {
    expect(isStuck(rounds(command, printed))).toBe(false);
  });

  it.each([
    ['git checkout -- src/sum.py', (n: number) => `Updated ${n} path from the index: ${COMMITS[n]}`],
    ['git checkout src/sum.py', (n: number) => `Updated ${n} path from the index: ${COMMITS[n]}`],
    ['git restore src/sum.py', (n: number) => `restored ${COMMITS[n]}`],
    ['git stash', (n: number) => `Saved the work tree: ${COMMITS[n]} first`],
    ['git reset --hard', (n: number) => `HEAD is still at the commit, ${COMMITS[n]} is gone`],
  ])('twin: %s only changes files, and the same tests fail all the same', (command, printed) => {
    expect(isStuck(rounds(command, printed))).toBe(true);
  });

  it('twin: a checkout that fails moves nothing', () => {
    const stuck = begin().times(6, (run, n) =>
      pytest(
        sh(run, 'git checkout main', `error: your changes to ${COMMITS[n]}.py would be overwritten`, 1),
        'test_total',
      ),
    );
    expect(isStuck(stuck)).toBe(true);
  });

  it.each([
    ['git pull', 'Already up to date.'],
    ['git checkout main', "Already on 'main'"],
    ['git rebase main', 'Current branch topic is up to date.'],
    ['git merge main', 'Already up to date.'],
  ])('twin: %s says that there was nothing to move', (command, output) => {
    expect(isStuck(rounds(command, () => output))).toBe(true);
  });
});

it('a file that is read on another commit each time is another file', () => {
  const walked = (command: string) =>
    begin().times(6, (run, n) =>
      sh(sh(run, command, `HEAD is now at the commit "${COMMITS[n]} first"`), 'cat VERSION', '1.4.0'),
    );
  expect(isStuck(walked('git checkout HEAD~1'))).toBe(false);
});
