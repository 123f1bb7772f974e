import { expect, it } from 'vitest';
import { neutral } from '../../../../src/engine/report/neutral';

it('a password that a very long path kept from being seen is not passed on once the path is short', () => {
  const folder = `/srv/${'customer-projects/'.repeat(13)}app`;
  const command = `mysql --defaults-file=${folder}/my.cnf -u root -phunter2-Xk29 shop`;
  expect(neutral({ command }, [folder])).toEqual({
    command: 'mysql --defaults-file=/home/user/project/my.cnf -u root -p[redacted] shop',
  });
});
