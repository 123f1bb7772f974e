import { expect, it } from 'vitest';
import { neutral } from '../../../../src/engine/report/neutral';

it('a password that a very long path kept from being seen is not passed on once the path is short', () => {
  const folder = `/srv/${'customer-projects/'.repeat(13)}app`;
  const command = `mysql --defaults-file=${folder}/my.cnf -u root -phunter2-Xk29 shop`;
  expect(neutral({ command }, [folder])).toEqual({
    command: 'mysql --defaults-file=/home/user/project/my.cnf -u root -p[redacted] shop',
  });
});

it('a folder is recognised in each spelling, the longer of two first, and never by a name that only begins like it', () => {
  const texts = [
    'cd /home/alice/work/app/src && ls /home/alice/work',
    '/home/alice/work/app2/x',
    '.claude/projects/-home-alice-work-app/s.jsonl',
  ];
  expect(neutral(texts, ['/home/alice/work', '/home/alice/work/app', '/srv'])).toEqual([
    'cd /home/user/project/src && ls /home/user/project',
    '/home/user/project/app2/x',
    '.claude/projects/-home-user-project/s.jsonl',
  ]);
  const windows = 'C:\\Users\\alice\\app';
  expect(neutral({ [`${windows}\\a.ts`]: JSON.stringify({ cwd: windows }) }, [windows])).toEqual({
    '/home/user/project\\a.ts': '{"cwd":"/home/user/project"}',
  });
});

it('people are not identified by their home folders, whatever system they use', () => {
  expect(neutral(['/Users/bob/x', 'D:\\Users\\bob\\x', 'c:/Users/bob/x', '/srv/a'], ['/srv'])).toEqual([
    '/Users/user/x',
    'D:\\Users\\user\\x',
    'c:/Users/user/x',
    '/srv/a',
  ]);
});
