// What the actions share: an agent in a loop, and the alarm.
import { loopUntil } from '../model/scripts.mjs';
import { REPAIR } from '../support/sandbox.mjs';
import { time } from '../support/wait.mjs';

export const TASK = 'Make the test of this shop pass.';

/** The same test again and again; where the agent's own check would stop that, with an edit in between that changes nothing. */
export function loopOf(agent) {
  return agent.loop ?? [agent.shell('npm test')];
}

/** The way out: the repair, the test that passes now, and some looking around. */
export function wayOut(agent) {
  const commands = [REPAIR, 'npm test', 'cat src/price.js', 'git diff --stat', 'cat README.md', 'git status --short'];
  return commands.map((command) => agent.shell(command));
}

/**
 * Starts the agent with a model that loops until something shows in a request, and waits for the alarm.
 *
 * @param {object} stage
 * @param {(request: object) => boolean} until
 * @param {readonly object[]} [then] what the model does when it shows
 */
export async function stuckAgent({ agent, model, watcher, start, say }, until, then = wayOut(agent)) {
  model.play(loopUntil({ loop: loopOf(agent), until, then }));
  const running = start(agent.command, TASK);
  const alarm = await watcher.alarm(90_000);
  const first = model.main()[0];
  const took = alarm.alarmedAt - first.at;
  say(`alert "${alarm.incident.detector}" ${time(took)} after the loop began, with request ${model.main().length}`);
  return { running, incident: alarm.incident, session: alarm.incident.session, alarm, took };
}
