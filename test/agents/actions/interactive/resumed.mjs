// A message for a session that was closed: it keeps waiting while the session is reopened and closed again without a prompt, and arrives with its
// next prompt.
import { existsSync } from 'node:fs';
import { copiesIn, isResting, staysWaiting, takenOnce } from './terminal.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';

export async function resumed(stage) {
  const { agent, model, watcher, parts } = stage;
  const first = await stage.open();
  model.play(() => ({ text: 'I am here.' }));
  await first.prompt('Say that you are here.');
  await model.request('of the first turn', () => true);
  const { session } = await watcher.session();
  await first.sees('its last words', () => first.shows('I am here.'));
  await isResting(stage, session);
  await first.end();

  const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
  const mark = parts.markOf(message.id);
  const second = await stage.open({ resumes: session });
  await staysWaiting(stage, session, [message.id], 'opened again without a prompt');
  await second.end();

  const third = await stage.open({ resumes: session });
  model.play(() => ({ text: 'I go on.' }));
  await third.prompt('Go on, please.');
  const request = await model.request('with the prompt', ({ text }) => text.includes('Go on, please.'));
  const withIt = await model.request('with the nudge', ({ text }) => text.includes(mark));
  if (withIt !== request) throw new Error('the nudge came after the prompt, not with it');
  if (copiesIn(withIt, mark) !== 1) throw new Error(`it stands ${copiesIn(withIt, mark)} times in the request`);
  if (!request.text.includes('Say that you are here.')) throw new Error('it is another session');
  if (!existsSync(watcher.engine.agent(session).file)) throw new Error('its transcript is gone');
  await watcher.receipt(session, message.id, 'seen');
  await takenOnce(stage, session, [message.id]);
  return `held while opened and closed again, then with its next prompt, once, by ${await watcher.takenBy(session, message.id)}`;
}
