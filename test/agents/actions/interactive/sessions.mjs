// Two sessions of one agent in one folder: a nudge reaches only the one that it is meant for.
import { time, until } from '../../support/wait.mjs';
import { copiesIn, takenOnce } from './terminal.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';
const NAMES = ['the first', 'the second'];
/** Requests of the other session after the nudge, in which it could have arrived. */
const MORE = 4;

export async function sessions(stage) {
  const { agent, model, watcher, parts } = stage;
  const rounds = [0, 0];
  let stop = false;
  model.play((request) => {
    const which = whose(request);
    if (stop) return { text: 'I stop here.' };
    rounds[which] += 1;
    return { calls: [agent.shell(`sleep 1; echo round ${rounds[which]} of ${NAMES[which]}`)] };
  });
  const known = [];
  for (const name of NAMES) {
    const terminal = await stage.open();
    await terminal.prompt(`Count, you are ${name}.`);
    const view = await until(`the session of ${name}`, () =>
      watcher.engine.agents().find(({ session, parent }) => parent === undefined && !known.includes(session)),
    );
    known.push(view.session);
  }
  await until('both at work', () => rounds.every((count) => count >= 3));

  const [, session] = known;
  const sent = Date.now();
  const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
  const mark = parts.markOf(message.id);
  const request = await model.request('with the nudge', ({ text }) => text.includes(mark));
  if (whose(request) !== 1) throw new Error('the other session got it');
  if (copiesIn(request, mark) !== 1) throw new Error(`it stands ${copiesIn(request, mark)} times in the request`);
  const before = rounds[0];
  await until('more of the other session', () => rounds[0] >= before + MORE);
  stop = true;
  if (model.main().some((one) => whose(one) === 0 && one.text.includes(mark)))
    throw new Error('the other session got it, too');
  await watcher.receipt(session, message.id, 'seen');
  await takenOnce(stage, session, [message.id]);
  return `only the second got it, ${time(request.at - sent)} after it was sent; the first asked ${MORE} more times without it`;
}

function whose({ text }) {
  return text.includes(`you are ${NAMES[1]}`) ? 1 : 0;
}
