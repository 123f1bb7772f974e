// A session that enters a git worktree of its own midway: it is still followed and reached, from the repository's window and from the worktree's.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Watcher } from '../support/watcher.mjs';
import { time, until } from '../support/wait.mjs';
import { alarmOf, loopScript, TASK } from './loop.mjs';

export async function worktree(stage) {
  const { agent, model, watcher, sandbox, parts, start, end, env } = stage;
  model.play(loopScript(agent, ({ text }) => text.includes('[unstuck '), [agent.entersWorktree]));
  const running = start(agent.command, TASK);
  const folder = join(sandbox.workspace, '.claude/worktrees');
  const name = await until('the worktree', () => {
    try {
      return readdirSync(folder)[0];
    } catch {
      return undefined;
    }
  });
  const inTree = join(folder, name);
  const { session } = await alarmOf(stage);
  const { cwd, deleted } = watcher.engine.agent(session);
  if (deleted) throw new Error('its transcript is called deleted');
  if (cwd !== inTree) throw new Error(`it is said to work in ${cwd}, not in ${inTree}`);

  const other = new Watcher(parts, { ...sandbox, opened: inTree }, env);
  try {
    await until('the session in the window of the worktree', () =>
      other.engine.agents().find((view) => view.session === session),
    );
    const written = Date.now();
    const { message } = await watcher.send({ kind: 'nudge', text: 'Read src/price.js first.' }, session, agent.id);
    const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
    await watcher.receipt(session, message.id, 'seen');
    const { code } = await end(running);
    if (code !== 0) throw new Error(`the agent ended with code ${code}`);
    return `followed into ${name}, seen from there too, request ${time(request.at - written)} after the nudge was written`;
  } finally {
    other.dispose();
  }
}
