import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWithin, programNames } from '../../../../src/base/util/program-path';

describe('the names that a program may have', () => {
  it('are those in the folders of PATH, in its order', () => {
    expect(programNames('git', { PATH: '/opt/bin:/usr/bin' }, posix)).toEqual(['/opt/bin/git', '/usr/bin/git']);
  });

  it('are in no folder that depends on the current one', () => {
    expect(programNames('git', { PATH: ':.:bin:../bin:/usr/bin:' }, posix)).toEqual(['/usr/bin/git']);
    const path = String.raw`.;bin;..\bin;\tools;C:tools;;C:\Git\cmd`;
    expect(programNames('git.exe', { PATH: path }, win32)).toEqual([String.raw`C:\Git\cmd\git.exe`]);
  });

  it('are complete names on Windows, of programs that start without a shell', () => {
    const found = [String.raw`C:\Program Files\Git\cmd\git.com`, String.raw`C:\Program Files\Git\cmd\git.exe`];
    const Path = String.raw`"C:\Program Files\Git\cmd"`;
    expect(programNames('git', { Path, PATHEXT: '.COM;.EXE;.BAT;.CMD;.JS' }, win32)).toEqual(found);
    expect(programNames('git', { Path }, win32)).toEqual(found);
    expect(programNames('git', { PATH: String.raw`\\server\tools`, PATHEXT: '.EXE' }, win32)).toEqual([
      String.raw`\\server\tools\git.exe`,
    ]);
  });

  it('do not exist for a path, or without PATH', () => {
    expect(programNames('./git', { PATH: '/usr/bin' }, posix)).toEqual([]);
    expect(programNames('', { PATH: '/usr/bin' }, posix)).toEqual([]);
    expect(programNames(String.raw`..\git`, { PATH: String.raw`C:\bin` }, win32)).toEqual([]);
    expect(programNames('git', {}, posix)).toEqual([]);
  });
});

it.each([
  ['/work/bin/git', '/work', posix, true],
  ['/work', '/work', posix, true],
  ['/work/..git', '/work', posix, true],
  ['/workshop/git', '/work', posix, false],
  ['/usr/bin/git', '/work', posix, false],
  [String.raw`c:\Work\bin\git.exe`, String.raw`C:\work`, win32, true],
  [String.raw`D:\work\git.exe`, String.raw`C:\work`, win32, false],
])('%s is within %s: %#', (file, folder, path, is) => {
  expect(isWithin(file, folder, path)).toBe(is);
});
