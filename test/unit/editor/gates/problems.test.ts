import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GateFailure, GateReport, GateResult } from '../../../../src/core/model';
import { GateProblems, failurePath } from '../../../../src/editor/gates/problems';
import { folder } from '../../support/folder';
import { Range, diagnostics, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const range = (...[row, start, endRow, end]: [number, number, number, number]) => new Range(row, start, endRow, end);

function project(): string {
  const path = folder();
  mkdirSync(join(path, 'src'));
  for (const name of ['a.ts', 'b.ts']) writeFileSync(join(path, 'src', name), '');
  return path;
}

describe('the file that a failing test names', () => {
  const of = (file: string | undefined, path: string) =>
    failurePath({ message: 'x', ...(file !== undefined && { file }) }, path);

  it('is opened if it is in the folder', () => {
    const path = project();
    expect(of('src/a.ts', path)).toBe(join(path, 'src/a.ts'));
    expect(of(join(path, 'src/b.ts'), path)).toBe(join(path, 'src/b.ts'));
  });

  it('is none outside the folder: what a program prints is not trusted with other paths', () => {
    const path = project();
    const outside = project();
    symlinkSync(join(outside, 'src'), join(path, 'linked'));
    expect(of(join(outside, 'src/a.ts'), path)).toBeNull();
    expect(of('../../../../etc/passwd', path)).toBeNull();
    expect(of('linked/a.ts', path)).toBeNull();
  });

  it('is none if it does not exist, or is not the name of a file', () => {
    const path = project();
    expect(of('src/gone.ts', path)).toBeNull();
    expect(of('src/a.ts\0', path)).toBeNull();
    expect(of(undefined, path)).toBeNull();
  });
});

describe('the Problems view', () => {
  const result = (...failures: GateFailure[]): GateResult => ({
    id: 'tests',
    name: 'tests',
    command: 'npm test',
    status: 'failed',
    reason: '',
    summary: '',
    failures,
    startedAt: 1,
    ms: 1,
    output: '',
  });
  const report = (path: string, results: readonly GateResult[], more: Partial<GateReport> = {}): GateReport => ({
    folder: path,
    cause: 'command',
    claim: '',
    startedAt: 1,
    endedAt: 2,
    verdict: 'failed',
    results,
    attempt: 0,
    ...more,
  });

  it('lists each failure at its place, by file, with the test and the gate', () => {
    const path = project();
    new GateProblems().show(
      report(path, [
        result(
          { file: 'src/a.ts', line: 3, column: 7, message: 'expected 4', test: 'sums > two' },
          { file: 'src/a.ts', line: 9, message: 'expected 5' },
          { file: 'src/b.ts', message: 'does not compile' },
          { file: '/etc/passwd', line: 1, message: 'not ours' },
        ),
      ]),
    );
    expect([...diagnostics].map(([file, list]) => [file.slice(path.length), list])).toEqual([
      [
        '/src/a.ts',
        [
          { range: range(2, 6, 2, 7), message: 'sums > two: expected 4', severity: 0, source: 'Unstuck, tests' },
          {
            range: range(8, 0, 8, Number.MAX_SAFE_INTEGER),
            message: 'expected 5',
            severity: 0,
            source: 'Unstuck, tests',
          },
        ],
      ],
      [
        '/src/b.ts',
        [
          {
            range: range(0, 0, 0, Number.MAX_SAFE_INTEGER),
            message: 'does not compile',
            severity: 0,
            source: 'Unstuck, tests',
          },
        ],
      ],
    ]);
  });

  it('drops the problems of a folder when its gates ran again, and keeps those of other folders', () => {
    const [one, other] = [project(), project()];
    const problems = new GateProblems();
    const failed = result({ file: 'src/a.ts', message: 'x' });
    problems.show(report(one, [failed]));
    problems.show(report(other, [failed]));
    problems.show(report(one, [result({ file: 'src/b.ts', message: 'y' })]));
    expect([...diagnostics.keys()]).toEqual([join(other, 'src/a.ts'), join(one, 'src/b.ts')]);
    problems.show(report(one, []));
    expect([...diagnostics.keys()]).toEqual([join(other, 'src/a.ts')]);
  });

  it('does not change while gates run, or when a run was cancelled', () => {
    const path = project();
    const problems = new GateProblems();
    problems.show(report(path, [result({ file: 'src/a.ts', message: 'x' })]));
    problems.show(report(path, [], { endedAt: null, verdict: 'running' }));
    problems.show(report(path, [], { verdict: 'cancelled' }));
    expect([...diagnostics.keys()]).toEqual([join(path, 'src/a.ts')]);
  });
});
