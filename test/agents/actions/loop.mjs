// Shared by the actions: an agent in a loop, and the alarm.
import { loopUntil } from '../model/scripts.mjs';
import { REPAIR } from '../support/sandbox.mjs';
import { time } from '../support/wait.mjs';

export const TASK = 'Make the test of this shop pass.';
/** Appears in the result of the first call: a session that sends it in a request has the old history. */
export const HISTORY = 'first-look-at-the-shop';

/** The same test again and again. If the agent's own check would stop that, an edit that changes nothing comes in between. */
function loopOf(agent) {
  return agent.loop ?? [agent.shell('npm test')];
}

/** The way out: the repair, the test that now passes, and some looking around. */
export function wayOut(agent) {
  const commands = [
    agent.repair ?? REPAIR,
    'npm test',
    'cat src/price.js',
    'git diff --stat',
    'cat README.md',
    'git status --short',
  ];
  return commands.map((command) => agent.shell(command));
}

/** The script of a model that loops until something appears in a request. @param {(request: object) => boolean} until */
export function loopScript(agent, until, first = []) {
  const look = agent.shell(`echo ${HISTORY}`);
  return loopUntil({ first: [look, ...first], loop: loopOf(agent), until, after: wayOut(agent) });
}

/**
 * Starts the agent with a model that loops until something appears in a request, and waits for the alarm. `nudge` tests that an agent in a loop
 * raises one. Where the alarm is only the starting point of a test, an agent that ends on its own first is started once more, and what was seen of it
 * is printed.
 *
 * @param {object} stage
 * @param {(request: object) => boolean} until
 * @param {{ first?: readonly object[], again?: boolean }} [options] `first`: calls before the loop
 */
export async function stuckAgent(stage, until, { first = [], again = true } = {}) {
  const { agent, model, start, say } = stage;
  model.play(loopScript(agent, until, first));
  const running = start(agent.command, TASK);
  try {
    return { running, ...(await stage.whileRuns(running, alarmOf(stage))) };
  } catch (error) {
    if (!again || !running.exited) throw error;
    say(`${error.message} the alarm; it is started once more. What was seen of it:\n${stage.lastWords()}`);
    return stuckAgent(stage, until, { first, again: false });
  }
}

/** The alarm of an agent whose model has started to loop. */
export async function alarmOf({ model, watcher, say }) {
  const alarm = await watcher.alarm();
  const began = model.main()[1];
  const took = alarm.alarmedAt - began.at;
  say(`alert "${alarm.incident.detector}" ${time(took)} after the loop began, with request ${model.main().length}`);
  return { alarm, session: alarm.incident.session, took };
}

/** The same, with its process ended the way a person ends it in a terminal. */
export async function endedAgent(stage) {
  const { running, session, alarm } = await stuckAgent(stage, () => false);
  stage.interrupt(running);
  const { code, signal } = await stage.end(running);
  stage.say(`its process was ended (${code ?? signal})`);
  return { session, alarm };
}
