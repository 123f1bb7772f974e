// A sub-agent in the background ends while its parent rests, and the agent's own program tells the parent: nothing was missed.
import { setTimeout as pause } from 'node:timers/promises';
import { Surface } from '../../support/surface.mjs';
import { until } from '../../support/wait.mjs';

const SUBTASK = 'Watch the test of this shop.';
/** Milliseconds after which a parent that was not told is not going to be told, including the delay that the project promises. */
const LOOKED_AT = 135_000;

export async function toldOfSubAgent(stage) {
  const { agent, model, watcher } = stage;
  const surface = new Surface(stage);
  const terminal = await stage.open();
  let calls = 0;
  let asked = 0;
  model.play(({ body }) => {
    const isSubAgent = JSON.stringify(body.messages?.[0] ?? '').includes(SUBTASK);
    if (!isSubAgent)
      return asked++ === 0 ? { calls: [agent.interactive.subAgent(SUBTASK)] } : { text: 'I wait for it.' };
    return calls++ < 2
      ? { calls: [agent.shell(`node -e 'setTimeout(() => console.log("look ${calls}"), 4_000)'`)] }
      : { text: 'I watched it.' };
  });
  await terminal.prompt('Let a sub-agent watch the test, in the background.');
  const child = await until('the end of the sub-agent', () =>
    watcher.engine.agents().find(({ parent, state }) => parent !== undefined && state.kind === 'finished'),
  );
  await pause(LOOKED_AT);
  if (asked < 3) throw new Error('the parent was not told');
  const wrong = surface.states.filter(({ record }) => record.for === 'missed_notice');
  if (wrong.length > 0) throw new Error(`told as ${surface.tell()}`);
  return `told by its own program, and no notice missed 135 s later ("${child.title}" ended)`;
}
