// Brake: with `blockRepeat` the repeated call is refused without a click, once, and the reason reaches the model as its result.
import { setTimeout as pause } from 'node:timers/promises';
import { time } from '../support/wait.mjs';
import { TASK, loopScript } from './loop.mjs';

const RESULT = 'FAIL total: expected 7, got';
const OWN_MESSAGE = /Unstuck, an automated watcher[\s\S]*?\[unstuck [0-9A-HJKMNP-TV-Z]{26}\]/g;

/** As long as the quickest models, milliseconds. */
const THINKS = 1_000;
/** The least that the setting takes. */
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
