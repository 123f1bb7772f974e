// The agent asks its user for permission: a message does not interfere. If permission is given, the message arrives with the call; if refused, with
// the next prompt.
import { inTurn } from '../../model/scripts.mjs';
import { time } from '../../support/wait.mjs';
import { copiesIn, staysWaiting, takenOnce } from './terminal.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';
const COMMAND = 'node test.js; touch ran.txt';

export async function permission(stage) {
  const { model, terminal, session, message, mark } = await asked(stage);
  const said = Date.now();
  terminal.keys('Enter');
  const request = await model.request('with the nudge', ({ text }) => text.includes(mark));
  await stage.watcher.receipt(session, message.id, 'seen');
  await takenOnce(stage, session, [message.id]);
  return `held while it asked, in the request ${time(request.at - said)} after the yes`;
}

export async function refusal(stage) {
  const { model, terminal, session, message, mark } = await asked(stage);
  terminal.keys('Escape');
  await terminal.sees('the end of the question', (screen) => !stage.agent.interactive.asks.test(screen));
  await staysWaiting(stage, session, [message.id], 'refused');
  model.play(() => ({ text: 'All right.' }));
  await terminal.prompt('Leave it then.');
  const request = await model.request('with the prompt', ({ text }) => text.includes('Leave it then.'));
  const first = await model.request('with the nudge', ({ text }) => text.includes(mark));
  if (first !== request) throw new Error('the nudge came after the prompt, not with it');
  if (copiesIn(first, mark) !== 1) throw new Error(`it stands ${copiesIn(first, mark)} times in the request`);
  await takenOnce(stage, session, [message.id]);
  return `held, then with the next prompt, once, by ${await stage.watcher.takenBy(session, message.id)}`;
}

/** An agent with an open question, and a nudge that waits meanwhile. */
async function asked(stage) {
  const { agent, model, watcher, parts } = stage;
  const terminal = await stage.open({ asks: true });
  const call = agent.interactive.askingCall ?? agent.shell;
  model.play(inTurn([call(COMMAND), agent.shell('git status --short')]));
  await terminal.prompt('Run the test.');
  await terminal.sees('the question', agent.interactive.asks);
  const { session } = await watcher.session();
  const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
  await staysWaiting(stage, session, [message.id], 'while it asks');
  if (!agent.interactive.asks.test(terminal.screen())) throw new Error('the question was closed');
  return { model, terminal, session, message, mark: parts.markOf(message.id) };
}
