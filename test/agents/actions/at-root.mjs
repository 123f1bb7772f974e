// An agent at the root of a repository of which the window has one package open: it is found, raises an alarm and is nudged.
import { join } from 'node:path';
import { time } from '../support/wait.mjs';
import { stuckAgent } from './loop.mjs';

export function prepareRoot(sandbox) {
  sandbox.opened = join(sandbox.workspace, 'packages/web');
  sandbox.write(join(sandbox.opened, 'README.md'), '# The web package\n');
}

export async function atRoot(stage) {
  const { agent, model, watcher, end, parts } = stage;
  const { running, session } = await stuckAgent(stage, ({ text }) => text.includes('[unstuck '), { again: false });
  const { cwd } = watcher.engine.agent(session);
  if (cwd !== stage.sandbox.workspace) throw new Error(`it works in ${cwd}`);
  const written = Date.now();
  const { message } = await watcher.send({ kind: 'nudge', text: 'Read src/price.js first.' }, session, agent.id);
  const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
  await watcher.receipt(session, message.id, 'seen');
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  return `found from packages/web, request ${time(request.at - written)} after the nudge was written`;
}
