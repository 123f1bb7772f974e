// Checkpoint: saves the work in progress as a git ref without touching anything, and restores it later.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { click } from '../support/recovery.mjs';
import { time } from '../support/wait.mjs';
import { stuckAgent } from './loop.mjs';

const WORK = 'half-finished work of the agent';

export async function checkpoint(stage) {
  const { agent, sandbox, recovery } = stage;
  const first = [agent.shell(`echo "${WORK}" >> README.md`), agent.shell(`echo "${WORK}" > src/new.js`)];
  const { running, alarm } = await stuckAgent(stage, () => false, { first });
  const before = sandbox.git('status', '--porcelain');
  const began = Date.now();
  const saved = await click(recovery, alarm.incident, { action: 'checkpoint' });
  if (saved.kind !== 'saved') throw new Error(`it was ${saved.kind}, not saved`);
  const took = Date.now() - began;
  const held = sandbox.git('ls-tree', '-r', '--name-only', saved.checkpoint.ref);
  if (/\.unstuck|settings\.local/.test(held)) throw new Error(`the checkpoint holds what Connect wrote: ${held}`);
  if (sandbox.git('status', '--porcelain') !== before) throw new Error('the work tree or the index was touched');
  stage.interrupt(running);
  await stage.end(running);

  const refused = await recovery.restoreCheckpoint(sandbox.workspace, saved.checkpoint.ref);
  if (refused.ok) throw new Error('it was restored over work in progress');
  sandbox.git('checkout', '-q', '.');
  sandbox.git('clean', '-fdq', '-e', '.unstuck', '-e', '.claude');
  const restored = await recovery.restoreCheckpoint(sandbox.workspace, saved.checkpoint.ref);
  if (!restored.ok) throw new Error(`not restored: ${restored.error.message}`);
  for (const file of ['README.md', 'src/new.js']) {
    if (!readFileSync(join(sandbox.workspace, file), 'utf8').includes(WORK))
      throw new Error(`${file} was not restored`);
  }
  return `saved in ${time(took)}, refused over other work, ${restored.value.files} files restored`;
}
