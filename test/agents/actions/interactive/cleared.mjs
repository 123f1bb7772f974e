// The person starts over in the same terminal (/clear): a message that waits for the previous session does not reach the new one, and a nudge for the
// new one does.
import { until } from '../../support/wait.mjs';
import { isResting, takenOnce } from './terminal.mjs';

const words = (session) =>
  `Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on, ${session}.`;

export async function cleared(stage) {
  const { agent, model, watcher, parts } = stage;
  const terminal = await stage.open();
  model.play(() => ({ text: 'I am here.' }));
  await terminal.prompt('Say that you are here.');
  const { session: before } = await watcher.session();
  await isResting(stage, before);
  await terminal.prompt(agent.interactive.clears);
  await terminal.sees('a screen without the conversation', () => !terminal.shows('I am here.'));
  await terminal.prompt('Say it once more.');
  await model.request('of the new session', ({ text }) => text.includes('Say it once more.'));
  const { session } = await until('the new session', () =>
    watcher.engine.agents().find((view) => view.session !== before && view.parent === undefined),
  );
  await isResting(stage, session);

  const old = (await watcher.send({ kind: 'nudge', text: words('before') }, before, agent.id)).message;
  const { message } = await watcher.send({ kind: 'nudge', text: words('after') }, session, agent.id);
  await terminal.prompt('Go on, please.');
  await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
  await watcher.receipt(session, message.id, 'seen');
  await takenOnce(stage, session, [message.id]);
  if (model.main().some(({ text }) => text.includes(parts.markOf(old.id))))
    throw new Error('the new session got what was for the one before');
  const delivery = await watcher.delivery(before, old.id);
  if (delivery?.state !== 'queued') throw new Error(`what was for the session before is ${delivery?.state}`);
  return 'only the new session gets its own; what is for the one before waits';
}
