import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replaceFile } from '../../../../src/base/files';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a file has its new text and mode, through a draft in the named folder', async () => {
  const path = join(folder, 'state.json');
  mkdirSync(join(folder, 'drafts'));
  writeFileSync(path, 'old');
  const before = statSync(path).ino;
  await replaceFile(path, 'new', { mode: 0o400, drafts: join(folder, 'drafts') });
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).ino).not.toBe(before);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o400);
  expect(readdirSync(join(folder, 'drafts'))).toEqual([]);
});

it('what cannot be replaced stays as it is, and no draft is left', async () => {
  const path = join(folder, 'a folder');
  mkdirSync(path);
  await expect(replaceFile(path, 'new')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['a folder']);
  expect(statSync(path).isDirectory()).toBe(true);
});
