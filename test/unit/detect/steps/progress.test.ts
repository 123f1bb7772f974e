import { describe, expect, test } from 'vitest';
import { draw } from '../../../stories/drawing';
import type { AgentEvent, PlanStatus } from '../../../../src/core/model';
import { runFamily } from '../support/run';

const markers = (drawing: string): string[] =>
  runFamily(draw(drawing)).progress.map(({ kind, text }) => `${kind}: ${text}`);

describe('progress markers', () => {
  test('an edit that brings new content', () => {
    expect(markers('E a.py')).toEqual(['edit: Edit a.py']);
    expect(markers('E a.py =x · E a.py =y · E a.py =x')).toHaveLength(2);
    expect(markers('E a.py fail:"String to replace not found in file"')).toEqual([]);
  });

  test('a command that changes files, but not one that only moves things', () => {
    const events = (command: string, output = ''): AgentEvent[] =>
      draw(`B "${command}" ok:${output}`).map((event) =>
        event.type === 'tool_call' ? { ...event, kind: 'changed' } : event,
      );
    expect(runFamily(events("sed -i 's/a/b/' x.py")).progress).toHaveLength(1);
    for (const command of ['mkdir -p src', 'rm -rf build', 'git add -A', 'git checkout main']) {
      expect(runFamily(events(command)).progress).toEqual([]);
    }
  });

  test('a check that goes from failing to passing, even with other options', () => {
    expect(markers('B "pytest -q" fail:2_failed · B "pytest -q" ok:5_passed')).toEqual([
      'check_passed: pytest -q passed',
    ]);
    expect(markers('B "pytest -q tests/a.py" fail:2_failed · B "pytest -x" ok:5_passed')).toEqual([
      'check_passed: pytest -x passed',
    ]);
    expect(markers('B "pytest -q" ok:5_passed · B "pytest -q" ok:5_passed')).toEqual([]);
    expect(markers('B "pytest -q" fail:2_failed · B "pytest | tail -1" ok:1_failed')).toEqual([]);
  });

  test('but no other check: it is recognised by its first three words, without options and paths', () => {
    const turns = (failing: string, passing: string): number =>
      markers(`B "${failing}" fail:2_failed · B "${passing}" ok:5_passed`).length;
    expect(turns('npm test', 'npm run lint')).toBe(0);
    expect(turns('npm run lint', 'npm run test')).toBe(0);
    expect(turns('npm run lint', 'npm run lint -- --fix')).toBe(1);
    expect(turns('cargo test a b', 'cargo test a c')).toBe(1);
    expect(turns('cargo test a', 'cargo test b')).toBe(0);
    expect(turns('make -s test', 'make test')).toBe(1);
    expect(turns('pytest -q', 'tsc --noEmit')).toBe(0);
  });

  test('and a check is forgotten after 32 others', () => {
    const others = (count: number): string =>
      Array.from({ length: count }, (_, n) => `B "eslint src${n}" ok:""`).join(' · ');
    const turns = (count: number): number =>
      markers(`B "pytest -q" fail:2_failed · ${others(count)} · B "pytest -x" ok:5_passed`).length;
    expect(turns(31)).toBe(1);
    expect(turns(32)).toBe(0);
  });

  const changed = (command: string, output = 'done'): number =>
    runFamily(
      draw(`B "${command}" ok:x`).map((event): AgentEvent => {
        if (event.type === 'tool_call') return { ...event, kind: 'changed' };
        return event.type === 'tool_result' ? { ...event, output } : event;
      }),
    ).progress.length;

  test.each(
    [
      'mkdir a | touch a | rm a | rmdir a | chmod 1 a | chown me a | ln a b | git add a | git checkout a',
      'git restore a | git reset a | git stash x | git clean x | git switch a | git branch a | git tag a | git fetch x',
      'git pull x | git push x | pip install a | pip3 install a | npm i | npm install | apt install a | cd a',
    ].flatMap((line) => line.split(' | ')),
  )('not a command that brings no content: %s', (command) => {
    expect(changed(command)).toBe(0);
    expect(changed(`  ${command}`)).toBe(0);
  });

  test.each(['xrm a', 'git rm a', 'sed -i x a', 'tee a; rm b', 'rmx a', 'npm run i'])('but %s', (command) => {
    expect(changed(command)).toBe(1);
  });

  test.each(
    [
      'No changes | no change made | No changes were made | no changes to a.py | nothing to change | nothing to commit',
      'already up to date | Already up-to-date | it already contains x | it already exists | a already has it',
      'the file is unchanged | they are identical',
    ].flatMap((line) => line.split(' | ')),
  )('not an edit that says it did nothing: %s', (output) => {
    expect(changed('sed -i x a', output)).toBe(0);
    expect(changed('sed -i x a', `${output}${' '.repeat(400 - output.length)}`)).toBe(1);
  });

  test.each(['two changes', 'casino changes', 'nothing', 'already', 'it already ran', 'changed', 'identically'])(
    'but one that says “%s”',
    (output) => {
      expect(changed('sed -i x a', output)).toBe(1);
    },
  );

  test('a command that failed before and does not now, once', () => {
    expect(markers('B "node a.js" fail:no · B "node a.js" ok:yes · B "node a.js" ok:yes')).toEqual([
      'check_passed: node a.js passed',
    ]);
    expect(markers('B "node a.js" fail:no · B "node b.js" ok:yes')).toEqual([]);
    expect(markers('B "node a.js" ok:yes · B "node a.js" ok:more')).toEqual([]);
  });

  test('a commit, once', () => {
    expect(
      markers('B "git commit -qm x" ok:"[main 4be19c2] Fix it" · B "git commit -qm x" ok:nothing_to_commit'),
    ).toEqual(['commit: commit 4be19c2 Fix it']);
  });

  test.each([
    ['git commit -m x', '[main 4be19c2] Fix', 'commit: commit 4be19c2 Fix'],
    ['git commit -m x', '[feature/a (root-commit) 4be19c2f01] Fix', 'commit: commit 4be19c2 Fix'],
    ['git add -A && git commit -m x', 'warning: x\n[main 4be19c2] Fix\n 1 file changed', 'commit: commit 4be19c2 Fix'],
    ['git -C a commit', '[detached HEAD 4be19c2]', 'commit: commit 4be19c2 '],
  ])('%s that says “%s”', (command, output, marker) => {
    const events = draw(`B "${command}" ok:x`).map(
      (event): AgentEvent => (event.type === 'tool_result' ? { ...event, output } : event),
    );
    expect(runFamily(events).progress.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([marker.trimEnd()]);
  });

  test.each([
    ['git commit -m x', 'nothing added'],
    ['git commit -m x', 'see [main 4be19c2] Fix'],
    ['git commit -m x', '[main 4be19c] Fix'],
    ['git log; echo commit', '[main 4be19c2] Fix'],
    ['mygit; commit', '[main 4be19c2] Fix'],
    ['git commits', '[main 4be19c2] Fix'],
  ])('not %s that says “%s”', (command, output) => {
    const events = draw(`B "${command}" ok:x`).map(
      (event): AgentEvent => (event.type === 'tool_result' ? { ...event, output } : event),
    );
    expect(runFamily(events).progress).toEqual([]);
  });

  test('a finished plan item, but not one that was finished when the plan was first seen', () => {
    const plan = (...statuses: PlanStatus[]): AgentEvent => ({
      agent: 'generic',
      session: 's',
      at: 0,
      source: { file: 'f', line: 1, offset: 0 },
      type: 'plan',
      items: statuses.map((status, index) => ({ id: String(index), title: `item ${index}`, status })),
    });
    expect(runFamily([plan('completed', 'pending'), plan('completed', 'in_progress')]).progress).toEqual([]);
    expect(
      runFamily([
        plan('pending', 'pending'),
        plan('completed', 'pending'),
        plan('completed', 'completed'),
      ]).progress.map(({ text }) => text),
    ).toEqual(['done: item 0', 'done: item 1']);
  });

  test('our own message is not progress', () => {
    expect(markers('N · N')).toEqual([]);
  });
});
