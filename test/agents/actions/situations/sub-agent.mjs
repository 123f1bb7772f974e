// An agent that has a sub-agent work: the sub-agent is a separate agent below it, with its own steps.
import { until } from '../../support/wait.mjs';

const SUBTASK = 'Look at the test of this shop.';
const TASK = 'Let somebody look at the test.';
const LAST = 'It was looked at.';

export async function subAgent(stage) {
  const { agent, model, watcher, start, end } = stage;
  let calls = 0;
  let delegated = false;
  let finish;
  /** Delays the parent's last words if the start of a sub-agent is answered at once. */
  const hold = new Promise((done) => (finish = done));
  model.play(({ text }) => {
    if (!text.includes(TASK)) {
      if (calls++ < 3) return { calls: [agent.shell(`git log --oneline -${calls}`)] };
      finish();
      return { text: 'I looked at it.' };
    }
    if (delegated) return { text: LAST, hold };
    delegated = true;
    return { calls: [agent.delegates(SUBTASK)] };
  });
  const running = start(agent.command, TASK);
  const child = await stage.whileRuns(
    running,
    until('the sub-agent, with its steps', () => {
      const view = watcher.engine.agents().find(({ parent }) => parent !== undefined);
      return view?.health.calls === 3 ? view : undefined;
    }),
  );
  await end(running);
  const parent = await until('its parent at the end', () => {
    const view = watcher.engine.agents().find(({ session }) => session === child.parent);
    return view?.state.kind === 'finished' || view?.state.kind === 'waiting' ? view : undefined;
  });
  if (parent.health.calls !== 1) throw new Error(`its parent has ${parent.health.calls} steps instead of 1`);
  const view = await until('the end of the sub-agent', () => {
    const now = watcher.engine.agent(child.session);
    return now.state.kind === 'working' ? undefined : now;
  });
  return `"${view.title}", 3 steps of its own, ${view.state.kind}`;
}
