// Two agents stopped by the limit of one plan. One continues on its own when the limit opens; for the other that was called off, and one click
// continues it.
import { Surface } from '../../support/surface.mjs';
import { time, until } from '../../support/wait.mjs';

const MINUTE = 60_000;
/** Time to start two agents, milliseconds. */
const AHEAD = 75_000;

export async function limitOpens(stage) {
  const { agent, model, watcher, parts } = stage;
  const surface = new Surface(stage);
  const opensAt = Math.ceil((Date.now() + AHEAD) / MINUTE) * MINUTE;
  model.play(() => (Date.now() < opensAt ? { refusal: { kind: 'limit', opensAt } } : { text: 'I looked around.' }));
  const terminals = [];
  for (const name of ['first', 'second']) {
    const terminal = await stage.open({ onPlan: true });
    terminals.push(terminal);
    await terminal.prompt(`Look around as the ${name}.`);
    await terminal.sees('its limit', agent.interactive.atLimit);
  }
  const rows = () => watcher.engine.agents();
  const isHeld = ({ state }) => state.waitingFor === 'limit';
  await until('two agents at their limit', () => rows().filter(isHeld).length === 2);
  const [first, second] = ['first', 'second'].map((name) => rows().find(({ title }) => title.includes(name)).session);
  const words = parts.lineOf(watcher.engine.agent(first), Date.now());
  terminals[0].keys('Escape');

  const ofSession = (name) => model.main().filter(({ text, at }) => at >= opensAt && text.includes(`as the ${name}.`));
  const alone = await until('the second one to continue alone', () => ofSession('second')[0]);
  await surface.first('the end of its turn', (one) => one.session === second && one.for === 'turn_end', alone.at);
  if (ofSession('first').length > 0) throw new Error('the first one continued though that was called off');
  const view = watcher.engine.agent(first);
  if (!parts.waitsAfterLimit(view, Date.now()))
    throw new Error(`the first one is told as ${JSON.stringify(view.state)}`);
  const open = parts.lineOf(view, Date.now());

  const sent = [];
  const hands = (one) => ({
    messages: {
      reach: () => ({ kind: 'wakes' }),
      send: async (_, text) => {
        sent.push(one.session);
        return { sent: await watcher.send({ kind: 'nudge', text }, one.session, agent.id) };
      },
    },
  });
  const clicked = Date.now();
  const said = await parts.continueAll(rows(), hands, clicked);
  const request = await until('its next request', () => ofSession('first')[0]);
  await until('the message in its list', () => watcher.engine.agent(first).deliveries.length > 0);
  const again = await parts.continueAll(rows(), hands, Date.now());
  if (sent.join() !== first) throw new Error(`sent to ${sent.length} agents, first ${first}: ${sent.join()}`);
  return `"${words}", "${open}"; one continued alone ${time(alone.at - opensAt)} after it opened, the other ${time(request.at - clicked)} after the click ("${said}", then "${again}")`;
}
