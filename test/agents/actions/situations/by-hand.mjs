// Things a person does in an agent's terminal besides prompting: a command of their own, a compaction. And the agent's questions to them.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/wait.mjs';
import { isResting } from '../interactive/terminal.mjs';

/** Milliseconds for which an agent without a task is watched. */
const LOOKED_AT = 6_000;
/** Pause before a return, milliseconds: some programs take a return within a few milliseconds of other keys for part of a paste. */
const AFTER_TEXT = 400;

/** The person's own command (`!`): not a step of the agent, and it stays the person's move. */
export async function ownCommand(stage) {
  const { agent, model, watcher } = stage;
  const terminal = await stage.open();
  const session = await worked(stage, terminal);
  const { calls } = watcher.engine.agent(session).health;
  terminal.keys('!');
  await pause(AFTER_TEXT);
  terminal.keys('-l', 'echo by-hand-$((40 + 2))');
  await pause(AFTER_TEXT);
  terminal.keys('Enter');
  await terminal.sees('what the command printed', () => terminal.shows('by-hand-42'));
  await isResting(stage, session);
  await pause(LOOKED_AT);
  const view = watcher.engine.agent(session);
  if (view.state.kind !== 'waiting' || view.state.waitingFor !== 'turn_end')
    throw new Error(`after the command the state is ${view.state.kind} ${view.state.waitingFor}`);
  if (view.health.calls !== calls)
    throw new Error(`the command counts as a step: ${view.health.calls} instead of ${calls}`);
  if (watcher.engine.agents().length !== 1) throw new Error('the command is an agent of its own');
  const told = `no step, its move; "${stage.parts.lineOf(view, Date.now())}"`;
  if (agent.interactive.staysInShell) return told;
  model.play(() => ({ text: 'I go on by hand.' }));
  await terminal.prompt('Go on, please.');
  await model.request('with the prompt', ({ text }) => text.includes('Go on, please.'));
  return told;
}

/** The person has the context compacted: it is counted, and it stays the person's move. */
export async function compacted(stage) {
  const { agent, model, watcher } = stage;
  const terminal = await stage.open();
  const session = await worked(stage, terminal);
  const isCounted = () => watcher.engine.agent(session).health.rereads !== undefined;
  if (isCounted()) throw new Error('it counts as compacted before it is');
  const asked = model.requests.length;
  await terminal.prompt(agent.interactive.compaction);
  await until('the request for a summary', () => model.requests.length > asked);
  await isResting(stage, session, () => model.requests.length);
  await pause(LOOKED_AT);
  const { state } = watcher.engine.agent(session);
  if (state.kind !== 'waiting' || state.waitingFor !== 'turn_end')
    throw new Error(`after the compaction the state is ${state.kind} ${state.waitingFor}`);
  await looks(stage, terminal, 4);
  await until('steps after a compaction', isCounted);
  return 'seen, and its move';
}

/** A tool of the agent that asks its person: shown as a question in the agent's words until it is answered. */
export const question = (stage) => asked(stage, 'question', stage.agent.interactive.question(ASKED), ASKED);

/** A plan that waits for approval. */
export function planned(stage) {
  const { proposes, showsPlan } = stage.agent.interactive;
  return asked(stage, 'plan', proposes(PLAN), PLAN, (_, screen) => showsPlan.test(screen));
}

/** A command that needs approval: reported as such, not guessed. */
export function permissionTold(stage) {
  const { askingCall, asks } = stage.agent.interactive;
  return asked(stage, 'permission', (askingCall ?? stage.agent.shell)(COMMAND), COMMAND, (_, screen) =>
    asks.test(screen),
  );
}

const ASKED = 'Which shop?';
const PLAN = 'Repair the total.';
const COMMAND = 'node test.js; touch ran.txt';

async function asked(stage, what, call, words, isOpen = ({ terminal }) => terminal.shows(words)) {
  const { agent, model, watcher } = stage;
  const terminal = await stage.open({ asks: what === 'permission', plans: what === 'plan' });
  const { questionMode } = agent.interactive;
  if (what === 'question' && questionMode) {
    await terminal.prompt(questionMode.command);
    await pause(2 * AFTER_TEXT);
    // The first return may only have picked the command from the list below the prompt.
    if (!questionMode.shown.test(terminal.screen())) terminal.keys('Enter');
    await terminal.sees('the mode in which it may ask', questionMode.shown);
  }
  let sent = false;
  model.play(() => {
    if (sent) return { text: 'All right.' };
    sent = true;
    return { calls: [call] };
  });
  await terminal.prompt('Ask me before you begin.');
  await terminal.sees(`its ${what}`, (screen) => isOpen({ terminal }, screen));
  const { session } = await watcher.session();
  const state = await until(`that it waits for an answer to its ${what}, and not by a guess`, () => {
    const now = watcher.engine.agent(session).state;
    return now.waitingFor === what && !now.probable ? now : undefined;
  });
  const told = [state.question, ...(state.calls ?? []).map(({ subject, command }) => command ?? subject)].join(' ');
  if (!told.includes(words)) throw new Error(`told with the words "${told}"`);
  for (const key of agent.interactive.interrupt ?? ['Escape']) {
    terminal.keys(key);
    await pause(AFTER_TEXT);
  }
  await until('that its person has the move', () => watcher.engine.agent(session).state.waitingFor === 'turn_end');
  return `told with its words; after Escape: ${stage.parts.lineOf(watcher.engine.agent(session), Date.now())}`;
}

/** A few turns of work, so that there is something to compact. */
async function worked(stage, terminal) {
  const { watcher } = stage;
  for (const round of [1, 2, 3]) await looks(stage, terminal, round);
  const { session } = await watcher.session();
  await isResting(stage, session);
  return session;
}

/** A turn of one call. */
async function looks({ agent, model, watcher }, terminal, round) {
  let looked = false;
  model.play(() => {
    if (looked) return { text: `I looked at it, round ${round}.` };
    looked = true;
    return { calls: [agent.shell(`git log --oneline -${round}`)] };
  });
  await terminal.prompt(`Look around, round ${round}.`);
  await terminal.sees('its answer', () => terminal.shows(`I looked at it, round ${round}.`));
  const { session } = await watcher.session();
  await isResting({ model, watcher }, session);
}
