// The main path: a loop, the alert, one click, the model's request with the text, the receipt, another approach, the end of the incident.
import { click } from '../support/recovery.mjs';
import { time, until } from '../support/wait.mjs';
import { stuckAgent } from './loop.mjs';

export async function nudge(stage) {
  const { model, watcher, recovery, end, parts, say } = stage;
  const { running, alarm, session, took } = await stuckAgent(stage, ({ text }) => text.includes('[unstuck '), {
    again: false,
  });

  const clicked = Date.now();
  const { message } = (await click(recovery, alarm.incident, { action: 'nudge' })).delivery;
  const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
  const arrived = request.at - clicked;
  say(`the nudge was in the model's request ${time(arrived)} after the click`);
  await watcher.receipt(session, message.id, 'seen');
  const acted = await watcher.receipt(session, message.id, 'acted');
  if (acted.outcome !== 'changed') throw new Error(`acted with the outcome "${acted.outcome}" instead of "changed"`);

  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  await until(
    'the recovery of the incident',
    () => watcher.incidents.get(alarm.incident.id).incident.state === 'recovered',
  );
  return `alert ${time(took)}, request ${time(arrived)}, ${words(acted)}, recovered`;
}

function words({ times, outcome }) {
  return `seen after ${time(times.seen - times.queued)}, acted: ${outcome}`;
}
