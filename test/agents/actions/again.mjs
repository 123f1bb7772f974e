// The agent gets stuck twice in the same way: the second time the history knows what helped, recommends it, and tells the agent so.
import { click } from '../support/recovery.mjs';
import { keepHistory } from '../support/history.mjs';
import { time, until } from '../support/wait.mjs';
import { loopScript, stuckAgent, TASK } from './loop.mjs';

const isNudged = ({ text }) => text.includes('[unstuck ');

export async function again(stage) {
  const { agent, model, watcher, sandbox, start, say } = stage;
  const history = await keepHistory(stage);
  stage.useHistory(history.before);
  try {
    const first = await stuckAgent(stage, isNudged, { again: false });
    await freed(stage, first, 'Read how the total is made, repair it, and run the test once more.');
    const [learning] = await until('what was learned', async () => {
      const learnings = await history.store.learnings();
      return learnings.length > 0 && learnings;
    });
    say(`learned: ${learning.cause}`);

    // The repair is undone, and a new session runs into the same problem.
    sandbox.git('checkout', '-q', '--', 'src/price.js');
    model.play(loopScript(agent, isNudged));
    const running = start(agent.command, TASK);
    const isSecond = ({ incident, alarmedAt }) => alarmedAt !== undefined && incident.session !== first.session;
    const found = until('the second alert', () => [...watcher.incidents.values()].find(isSecond));
    const alarm = await stage.whileRuns(running, found);
    const { id, session } = alarm.incident;
    const before = await until('what helped before', () => {
      const known = history.before.of(alarm.incident);
      return known?.similar.length > 0 && known;
    });
    const [tried] = before.tried;
    if (tried?.kind !== 'nudge' || tried.recovered.n !== 1 || tried.recovered.of !== 1)
      throw new Error(`it counts ${JSON.stringify(before.tried)} instead of one nudge that helped`);
    const { recommended } = stage.recovery.propose(id);
    if (recommended !== 'nudge') throw new Error(`"${recommended}" is recommended`);
    const helped = /What was noted then:\n\n(`{3,})\n([^]*?)\n\1/.exec(stage.recovery.draft(id, 'nudge'))?.[2];
    if (!helped?.includes(learning.cause) || !helped.includes('It continued with: '))
      throw new Error(`the draft does not say what helped:\n${stage.recovery.draft(id, 'nudge')}`);
    const request = await freed(stage, { running, alarm, session });
    if (!request.text.includes('What was noted then:')) throw new Error('the model was not told what helped before');

    const { tried: since } = await history.store.helpedBefore({ ...alarm.incident, id: 'third', session: 'third' });
    if (since[0]?.recovered.n !== 2 || since[0].recovered.of !== 2)
      throw new Error(`after the second time it counts ${JSON.stringify(since)}`);
    return `the second time recommended and said: ${helped.replaceAll('\n', ' / ')}; then 2 of 2`;
  } finally {
    stage.useHistory(null);
    await history.close();
  }
}

/** Clicks *Nudge*, with a person's text or with the draft; resolves to the request that contains it once the agent was freed. */
async function freed({ model, watcher, recovery, end, parts, say }, { running, alarm, session }, text) {
  const clicked = Date.now();
  const { message } = (await click(recovery, alarm.incident, { action: 'nudge', ...(text && { text }) })).delivery;
  const request = await model.request('with the nudge', (one) => one.text.includes(parts.markOf(message.id)));
  say(`the nudge was in the model's request ${time(request.at - clicked)} after the click`);
  await watcher.receipt(session, message.id, 'acted');
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  const state = () => watcher.incidents.get(alarm.incident.id).incident.state;
  await until('the recovery of the incident', () => state() === 'recovered');
  return request;
}
