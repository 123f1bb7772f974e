import { describe, expect, test } from 'vitest';
import { draw } from '../../../stories/drawing';
import type { AgentEvent, PlanStatus } from '../../../../src/model';
import { runFamily } from '../support/run';

const markers = (drawing: string): string[] =>
  runFamily(draw(drawing)).progress.map(({ kind, text }) => `${kind}: ${text}`);

describe('progress markers', () => {
  test('an edit that brings new content', () => {
    expect(markers('E a.py')).toEqual(['edit: Edit a.py']);
    expect(markers('E a.py =x · E a.py =y · E a.py =x')).toHaveLength(2);
    expect(markers('E a.py fail:"String to replace not found in file"')).toEqual([]);
  });

  test('a command that changes files, but none that only moves things about', () => {
    const events = (command: string, output = ''): AgentEvent[] =>
      draw(`B "${command}" ok:${output}`).map((event) =>
        event.type === 'tool_call' ? { ...event, kind: 'changed' } : event,
      );
    expect(runFamily(events("sed -i 's/a/b/' x.py")).progress).toHaveLength(1);
    for (const command of ['mkdir -p src', 'rm -rf build', 'git add -A', 'git checkout main']) {
      expect(runFamily(events(command)).progress).toEqual([]);
    }
  });

  test('a check that goes from failing to passing, also with other options', () => {
    expect(markers('B "pytest -q" fail:2_failed · B "pytest -q" ok:5_passed')).toEqual([
      'check_passed: pytest -q passed',
    ]);
    expect(markers('B "pytest -q tests/a.py" fail:2_failed · B "pytest -x" ok:5_passed')).toEqual([
      'check_passed: pytest -x passed',
    ]);
    expect(markers('B "pytest -q" ok:5_passed · B "pytest -q" ok:5_passed')).toEqual([]);
    expect(markers('B "pytest -q" fail:2_failed · B "pytest | tail -1" ok:1_failed')).toEqual([]);
  });

  test('a commit, once', () => {
    expect(
      markers('B "git commit -qm x" ok:"[main 4be19c2] Fix it" · B "git commit -qm x" ok:nothing_to_commit'),
    ).toEqual(['commit: commit 4be19c2 Fix it']);
  });

  test('a plan item done, but not what was done when the plan was first seen', () => {
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

  test('our own message is none', () => {
    expect(markers('N · N')).toEqual([]);
  });
});
