// A person presses Escape while a nudge waits: nothing starts the agent again, and the nudge arrives with their next prompt, once.
import { setTimeout as pause } from 'node:timers/promises';
import { time, until } from '../../support/wait.mjs';
import { copiesIn, staysWaiting, takenOnce } from './terminal.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';
/** No `sleep`: Claude Code refuses it in the foreground. */
const LONG = "node -e 'setTimeout(() => {}, 600_000)'";
/** Milliseconds for which the nudge has waited when Escape is pressed: some agents check for it repeatedly for a while, others only once. */
const AGES = [500, 6_000];

export async function escape(stage) {
  const { agent, model, watcher, parts } = stage;
  const terminal = await stage.open();
  const came = [];
  for (const age of AGES) {
    let asked = false;
    model.play(() => {
      if (asked) return { text: 'All right.' };
      asked = true;
      return { calls: [agent.shell(`${LONG} round${age}`)] };
    });
    await terminal.prompt(`Run the long command number ${age}.`);
    await until('the long command', () => runs(stage.sandbox, age));
    const { session } = await watcher.session();
    const { message } = await watcher.send({ kind: 'nudge', text: `${WORDS} ${age}` }, session, agent.id);
    await pause(age);

    const before = watcher.engine.agent(session).state.kind;
    await interrupts(terminal, agent, () => watcher.engine.agent(session).state.interrupted);
    const what = `${time(age)} after the nudge, ${before}`;
    await staysWaiting(stage, session, [message.id], what);
    const { state } = watcher.engine.agent(session);
    if (!state.interrupted || state.kind !== 'waiting') throw new Error(`${what}: the state is ${state.kind}`);

    const mark = parts.markOf(message.id);
    model.play(() => ({ text: 'I go on.' }));
    await terminal.prompt(`Go on then, ${age}.`);
    const request = await model.request('with the prompt', ({ text }) => text.includes(`Go on then, ${age}.`));
    const first = await model.request('with the nudge', ({ text }) => text.includes(mark));
    if (first !== request) throw new Error(`${what}: the nudge came after the prompt, not with it`);
    if (copiesIn(first, mark) !== 1)
      throw new Error(`${what}: it stands ${copiesIn(first, mark)} times in the request`);
    await watcher.receipt(session, message.id, 'seen');
    await takenOnce(stage, session, [message.id]);
    came.push(await watcher.takenBy(session, message.id));
  }
  return `held, then with the next prompt, once, by ${[...new Set(came)].join(', ')}`;
}

/** A busy program may take two keys for one: they are pressed again if nothing has happened after this time, milliseconds. */
const PRESSED_AGAIN = 10_000;

/** Presses the keys that interrupt the agent, as a person does, until it is interrupted. */
async function interrupts(terminal, agent, isInterrupted) {
  let pressed = 0;
  await until('that the person has the move', async () => {
    if (isInterrupted()) return true;
    if (Date.now() - pressed < PRESSED_AGAIN) return false;
    for (const key of agent.interactive.interrupt ?? ['Escape']) {
      terminal.keys(key);
      await pause(300);
    }
    pressed = Date.now();
    return false;
  });
}

/** True if the command of this round is still running. */
function runs(sandbox, age) {
  return sandbox.programs().some((line) => line.startsWith('node ') && line.includes(`round${age}`));
}
