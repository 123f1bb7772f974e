import { describe, expect, test } from 'vitest';
import { callSignature, canonicalText, normalisedPath } from '../../../../src/base/util/canonical';

function same(one: unknown, other: unknown, cwd: string | null = null): boolean {
  return callSignature('tool', one, cwd) === callSignature('tool', other, cwd);
}

describe('equal calls', () => {
  test('have equal keys in any order, at any depth', () => {
    expect(same({ a: 1, b: { c: 2, d: [1, { e: 3, f: 4 }] } }, { b: { d: [1, { f: 4, e: 3 }], c: 2 }, a: 1 })).toBe(
      true,
    );
  });

  test('may differ in a reworded description, a call id or a timeout', () => {
    expect(same({ command: 'ls', description: 'List' }, { command: 'ls', description: 'List the files' })).toBe(true);
    expect(same({ cmd: 'ls', yield_time_ms: 1000, justification: 'a' }, { cmd: 'ls', yield_time_ms: 250 })).toBe(true);
    expect(same({ command: 'ls', id: 'call_abc123' }, { command: 'ls', id: 'call_def456' })).toBe(true);
  });

  test('may write out defaults that the other leaves out', () => {
    expect(same({ file_path: 'a', replace_all: false, limit: null }, { file_path: 'a' })).toBe(true);
  });

  test('have one name for one file', () => {
    expect(same({ path: './src//a.py' }, { path: 'src/a.py' })).toBe(true);
    expect(same({ path: '/repo/src/a.py' }, { path: 'src/a.py' }, '/repo')).toBe(true);
    expect(same({ path: 'src/' }, { path: 'src' })).toBe(true);
    expect(same({ path: 'C:\\repo\\a.py' }, { path: 'C:/repo/a.py' })).toBe(true);
  });

  test('have one form of one command', () => {
    expect(same({ command: 'pytest -q ' }, { command: 'pytest -q' })).toBe(true);
    expect(same({ command: 'cd /repo && pytest -q' }, { command: 'pytest -q' }, '/repo')).toBe(true);
    expect(same({ command: 'cd /repo/ && pytest -q | tail -5' }, { command: 'bash -lc "pytest -q"' }, '/repo')).toBe(
      true,
    );
    expect(same({ cmd: 'timeout 60 pytest -q;' }, { cmd: 'pytest -q 2>&1' })).toBe(true);
  });
});

describe('different calls', () => {
  test('have another tool, another value or another type', () => {
    expect(callSignature('read', { a: 1 }, null)).not.toBe(callSignature('write', { a: 1 }, null));
    expect(same({ a: 1 }, { a: 2 })).toBe(false);
    expect(same({ a: '1' }, { a: 1 })).toBe(false);
    expect(same({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(same({ replace_all: true, a: 1 }, { a: 1 })).toBe(false);
  });

  test('have another id that names a thing, or another description that is all there is', () => {
    expect(same({ id: 'doc-1', field: 'x' }, { id: 'doc-2', field: 'x' })).toBe(false);
    expect(same({ description: 'a' }, { description: 'b' })).toBe(false);
  });

  test('have another folder to change to as part of the command', () => {
    expect(same({ command: 'cd /other && pytest' }, { command: 'pytest' }, '/repo')).toBe(false);
  });

  test("have another folder, even if the agent's working folder is unknown", () => {
    expect(same({ command: 'cd packages/a && npm test' }, { command: 'cd packages/b && npm test' })).toBe(false);
  });

  test('have a file outside the working directory that begins like it', () => {
    expect(normalisedPath('/repository/a.py', '/repo')).toBe('/repository/a.py');
    expect(normalisedPath('/repo', '/repo')).toBe('.');
    const drive = normalisedPath('c:\\repo', null);
    expect(normalisedPath('C:\\repo\\src\\a.py', drive)).toBe('src/a.py');
    expect(normalisedPath('c:/repo', drive)).toBe('.');
    expect(normalisedPath('D:\\repo\\a.py', drive)).toBe('D:/repo/a.py');
  });
});

test('arguments of any form are taken', () => {
  const deep: Record<string, unknown> = {};
  let inner = deep;
  for (let i = 0; i < 100; i++) inner = inner.a = {} as Record<string, unknown>;
  for (const args of [null, undefined, 'not { json', 12, true, [], deep]) {
    expect(callSignature('t', args, null)).toBeGreaterThan(0);
    expect(typeof canonicalText(args)).toBe('string');
  }
});
