import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { callerWords } from '../../../../../src/agents/inbox/hook/caller';

it.runIf(process.platform === 'linux')('the arguments of the program that called the hook are read one by one', () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)', '--', 'fix it -p']);
  try {
    const words = callerWords({ UNSTUCK_CALLER: String(child.pid) });
    expect(words?.slice(1)).toEqual(['-e', 'setTimeout(() => {}, 60_000)', '--', 'fix it -p']);
  } finally {
    child.kill('SIGKILL');
  }
});

it.each([[{}], [{ UNSTUCK_CALLER: '' }], [{ UNSTUCK_CALLER: '../1' }], [{ UNSTUCK_CALLER: '999999999' }]])(
  'nothing is known about a caller with this name: %o',
  (env) => {
    expect(callerWords(env)).toBeNull();
  },
);
