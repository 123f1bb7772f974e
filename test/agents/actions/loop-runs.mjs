// A shell loop that starts the agent again and again: one row, one alarm over the runs, and a nudge for the next run.
import { time, until } from '../support/wait.mjs';
import { RUNS, hasEnded, runsScript, writeLoop } from './runs.mjs';

/** Seconds between two runs: time for the window to see that one has ended, and for a person to write. */
const PAUSE = 4;

export async function loopRuns(stage) {
  const { agent, model, watcher, startArgv, parts, interrupt, say } = stage;
  model.play(runsScript(agent));
  const running = startArgv(writeLoop(stage, PAUSE));
  const rows = () => watcher.engine.agents().filter(({ run }) => run?.isLast !== false);
  const ended = await until('a run from the second on that has ended', () => {
    const [view] = rows();
    const turnIsOver = view?.state.kind === 'finished' || view?.state.waitingFor === 'turn_end';
    const number = view?.run?.number ?? 1;
    // A run whose turn is over still takes messages until its program has ended.
    return number > 1 && turnIsOver && hasEnded(running, number) ? view : undefined;
  });
  if (rows().length !== 1) throw new Error(`${rows().length} rows for one loop`);

  const { message } = await watcher.send(
    { kind: 'nudge', text: 'An automated watcher wrote this: read src/price.js first.' },
    ended.session,
    agent.id,
  );
  const words = 'read src/price.js first.';
  const request = await model.request('of the next run with the nudge', ({ text }) => text.includes(words));
  if (request.text.includes(parts.markOf(message.id))) throw new Error('it came to the run that was over');
  const next = await until('the row of the next run', () => rows().find(({ session }) => session !== ended.session));
  say(`written to run ${ended.run.number}, taken by run ${next.run.number}`);
  const first = request.text.split(words).length - 1;

  const alarm = await until('the alert', () => {
    const all = [...watcher.incidents.values()];
    return all.find(({ alarmedAt, incident }) => alarmedAt !== undefined && incident.rule === 'runs');
  });
  const { run } = watcher.engine.agent(alarm.incident.session);
  const later = await until('a run after the one with the nudge', () =>
    rows().find(({ run }) => (run?.number ?? 0) > next.run.number),
  );
  await until('its requests', () => model.main().at(-1)?.at > request.at + PAUSE * 1_000);
  const inLater = model.main().at(-1).text.includes(words);
  if (first !== 1 || inLater)
    throw new Error(`the nudge stood ${first} times in its run, and in run ${later.run.number}`);
  interrupt(running);
  return `"${alarm.incident.why}" in run ${run.number} of ${RUNS}; a nudge to ended run ${ended.run.number} reached run ${next.run.number} once, ${time(request.at - Date.parse(message.t))} after it was written`;
}
