import { expect, it } from 'vitest';
import { systemBridgeProcesses } from '../../../../src/agents/shared/connect/bridge-process';

it('a command that does not end in time is given up, even if a program that it started holds its output', async () => {
  const ran = await systemBridgeProcesses.shell('sleep 600 & echo $!; wait', {
    cwd: process.cwd(),
    env: { PATH: process.env['PATH'] ?? '' },
    input: '',
    timeout: 500,
  });
  process.kill(Number(ran.stdout));
  expect(ran.code).toBeNull();
}, 20_000);
