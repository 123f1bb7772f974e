// A parent whose turn has ended while its sub-agent works in the background: a message wakes it long before the sub-agent ends.
import { time, until } from '../../support/wait.mjs';
import { takenOnce } from './terminal.mjs';

const SUBTASK = 'Watch the test of this shop.';
const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';
/** Calls of the sub-agent, 3 s each, so that it works for minutes. */
const CALLS = 60;

export async function parent(stage) {
  const { agent, model, watcher, parts } = stage;
  const terminal = await stage.open();
  let calls = 0;
  let started = false;
  let lastAsked = Infinity;
  model.play((request) => {
    if (isSubAgent(request)) {
      if (calls++ >= CALLS) return { text: 'I watched it.' };
      return { calls: [agent.shell(`node -e 'setTimeout(() => console.log("look ${calls}"), 3_000)'`)] };
    }
    if (started) {
      lastAsked = Math.min(lastAsked, request.at);
      return { text: 'I wait for it.' };
    }
    started = true;
    return { calls: [agent.interactive.subAgent(SUBTASK)] };
  });
  await terminal.prompt('Let a sub-agent watch the test, in the background.');
  await until('the sub-agent at work', () => calls >= 2);
  // Its turn is over once it is busy only with the sub-agent: until then it is busy with the model.
  const isOver = ({ parent, doing, coverage }) =>
    parent === undefined && doing?.kind === 'tool' && coverage.lastReadAt > lastAsked;
  const { session, state } = await until('the parent, whose turn has ended', () =>
    watcher.engine.agents().find(isOver),
  );
  if (state.kind !== 'working') throw new Error(`its parent is ${state.kind} while it works`);
  const sent = Date.now();
  const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
  const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
  if (isSubAgent(request)) throw new Error('the sub-agent got what was for its parent');
  if (calls >= CALLS) throw new Error('the parent was woken only when its sub-agent had ended');
  await watcher.receipt(session, message.id, 'seen');
  await takenOnce(stage, session, [message.id]);

  const child = await until('the sub-agent', () => watcher.engine.agents().find((view) => view.parent === session));
  const own = (await watcher.send({ kind: 'nudge', text: WORDS }, child.session, agent.id)).message;
  const mark = parts.markOf(own.id);
  const asked = await model.request('of the sub-agent with its nudge', ({ text }) => text.includes(mark));
  if (!isSubAgent(asked)) throw new Error('the parent got what was for its sub-agent');
  await watcher.receipt(child.session, own.id, 'seen');
  await takenOnce(stage, child.session, [own.id]);
  return `woken ${time(request.at - sent)} after the nudge, by ${await watcher.takenBy(session, message.id)}, while the sub-agent went on; its own nudge reached only the sub-agent`;
}

function isSubAgent({ body }) {
  return JSON.stringify(body.messages?.[0] ?? '').includes(SUBTASK);
}
