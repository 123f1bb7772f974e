// Brakes: with `blockRepeat` the repeated call is refused once, without a click, and the reason reaches the model as its result. With `stopAtBudget`
// an agent that has used up its budget ends by its own means, and its work is saved.
import { setTimeout as pause } from 'node:timers/promises';
import { time, until } from '../support/wait.mjs';
import { inTurn } from '../model/scripts.mjs';
import { TASK, loopScript } from './loop.mjs';

const RESULT = 'FAIL total: expected 7, got';
const OWN_MESSAGE = /Unstuck, an automated watcher[\s\S]*?\[unstuck [0-9A-HJKMNP-TV-Z]{26}\]/g;

/** Milliseconds that the model thinks, as long as the fastest ones take. */
const THINKS = 1_000;
/** The smallest value that the setting accepts. */
export const BRAKES = { blockRepeat: 4 };

export async function brake(stage) {
  const { agent, model, watcher, start, end, whileRuns } = stage;
  const loop = loopScript(agent, ({ text }) => text.includes('[unstuck '));
  model.play((request) => ({ ...loop(request), hold: pause(THINKS) }));
  const running = start(agent.command, TASK);
  const request = await whileRuns(
    running,
    model.request('with the refusal', ({ text }) => text.includes('This call was blocked once')),
  );
  // our own message quotes the last result
  const runs = request.text.replace(OWN_MESSAGE, '').split(RESULT).length - 1;
  if (runs !== BRAKES.blockRepeat - 1) throw new Error(`refused after ${runs} runs`);
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  const [{ incident }] = watcher.incidents.values();
  const [attempt, ...more] = incident.attempts;
  if (more.length > 0 || attempt?.kind !== 'block' || !attempt.automated)
    throw new Error(`attempts: ${JSON.stringify(incident.attempts)}`);
  await watcher.receipt(incident.session, attempt.message, 'seen');
  return `call ${runs + 1} in a row refused, the reason in the request after ${time(request.at - attempt.at)}`;
}

/** Calls that the agent may make in a loop that never counts as stuck. */
const CALLS = 4;
export const BUDGET = { brakes: { stopAtBudget: true }, budgets: { calls: CALLS } };

export async function atBudget(stage) {
  const { agent, model, watcher, start, end, whileRuns } = stage;
  const looks = Array.from({ length: 30 }, (_, turn) => agent.shell(`echo look ${turn}`));
  const script = inTurn(looks);
  model.play((request) => ({ ...script(request), hold: pause(THINKS) }));
  const running = start(agent.command, TASK);
  const stopOf = () => watcher.engine.agents()[0]?.deliveries.find(({ message }) => message.kind === 'stop');
  const { message } = await whileRuns(running, until('a stop in the inbox', stopOf));
  const { code } = await end(running);
  // Each request is answered with a call, except perhaps the last: the agent may end before its next request, or while it waits for the answer.
  const requests = model.main().length;
  if (requests < CALLS || requests > CALLS + 3) throw new Error(`it made ${requests} requests`);
  if (!(agent.stopCodes ?? [0]).includes(code)) throw new Error(`the agent ended with code ${code}`);
  if (!message.automated) throw new Error('the stop is not called automated');
  return `ended with request ${requests} at a budget of ${CALLS} calls, exit code ${code}`;
}
