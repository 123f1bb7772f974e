// A background task of the agent ends while the agent rests, and the agent is not told: this is noticed after two minutes, and one click tells it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Surface } from '../../support/surface.mjs';
import { time, until } from '../../support/wait.mjs';

const TOLD_WITHIN = 120_000;
/** The delay that the project promises on top of those two minutes, milliseconds. */
const SEEN_WITHIN = 10_000;

/** A background build in the shell. */
export async function missedNotice(stage) {
  const { agent, model, sandbox } = stage;
  const surface = new Surface(stage);
  const terminal = await stage.open();
  const ended = join(sandbox.workspace, 'ended');
  const build = `sleep 15; echo 3 files built; date +%s%3N > ${ended}`;
  let asked = 0;
  model.play(() => (asked++ === 0 ? { calls: [agent.interactive.leavesBehind(build)] } : { text: 'It builds.' }));
  await terminal.prompt('Build this shop in the background, and go on when it has ended.');
  const at = await until('the end of the build', () => existsSync(ended) && Number(readFileSync(ended, 'utf8')));
  return seenAndTold(stage, { surface, terminal, at, lastLine: '3 files built' });
}

/** A sub-agent. */
export async function missedSubAgent(stage) {
  const { agent, model } = stage;
  const task = 'Let a sub-agent look at the test of this shop, and go on when it has ended.';
  const lastLine = 'I looked at all of it.';
  const surface = new Surface(stage);
  const terminal = await stage.open();
  let looks = 0;
  let asked = 0;
  let at = 0;
  model.play(({ text }) => {
    if (text.includes(task))
      return asked++ === 0
        ? { calls: [agent.interactive.leavesSubAgent('Look at the test.')] }
        : { text: 'I wait for it.' };
    if (looks++ < 2) return { calls: [agent.shell(`sleep 4; echo look ${looks}`)] };
    at = Date.now();
    return { text: lastLine };
  });
  await terminal.prompt(task);
  await until('the end of the sub-agent', () => at);
  return seenAndTold(stage, { surface, terminal, at, lastLine });
}

/** @param {{ surface: Surface, terminal: object, at: number, lastLine: string }} what `at`: when it ended */
async function seenAndTold({ agent, model, watcher, parts }, { surface, terminal, at, lastLine }) {
  const requests = model.main().length;
  const seen = await surface.first('a missed notice', (record) => record.for === 'missed_notice');
  const late = seen.at - at - TOLD_WITHIN;
  if (late < -5_000 || late > SEEN_WITHIN) throw new Error(`seen ${time(seen.at - at)} after it ended`);
  if (model.main().length !== requests) throw new Error('the agent was told by its own program');

  const { session } = seen.record;
  const words = await surface.words(seen.record);
  const text = parts.draftContinue(watcher.engine.agent(session).state);
  if (!text.includes(lastLine)) throw new Error(`the draft does not say how it ended: ${text}`);
  model.play(() => ({ text: 'I saw that it has ended.' }));
  const clicked = Date.now();
  const { message } = await watcher.send({ kind: 'nudge', text }, session, agent.id);
  if (!agent.interactive.wakes) await terminal.prompt('Go on, please.');
  const request = await model.request('with the message', (one) => one.text.includes(parts.markOf(message.id)));
  await surface.first('the end of its turn', (record) => record.for === 'turn_end', request.at);
  const how = agent.interactive.wakes ? 'woken' : 'with the next prompt';
  return `"${words}" ${time(seen.at - at)} after it ended; ${how} ${time(request.at - clicked)} after the click`;
}
