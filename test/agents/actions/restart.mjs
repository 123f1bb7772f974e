// Restarting an agent with the extension's own templates: what the model receives, and in which session the agent continues.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { inTurn } from '../model/scripts.mjs';
import { time, until } from '../support/wait.mjs';
import { endedAgent, HISTORY, wayOut } from './loop.mjs';

/** Every draft begins with this. */
const PROMPT = 'Unstuck, an automated watcher, wrote this';

export const resume = (stage) => startAgain(stage, { mode: 'resume' });
export const fork = (stage) => startAgain(stage, { mode: 'fork' });
export const fresh = (stage) => startAgain(stage, { mode: 'fresh' });
export const escalate = (stage) => startAgain(stage, { mode: 'resume', model: stage.agent.stronger, thinking: 'high' });

async function startAgain(stage, { mode, model: other, thinking }) {
  const { agent, program, model, watcher, recovery, sandbox, parts, startArgv, end } = stage;
  const { session, alarm } = await endedAgent(stage);
  const file = alarm.incident.file;
  const size = statSync(file).size;
  const plan = parts.planLaunch(
    {
      agent: agent.id,
      mode,
      style: 'piped',
      session,
      prompt: recovery.draft(alarm.incident.id, mode),
      newSession: randomUUID(),
      cwd: sandbox.workspace,
      ...(other && { model: other }),
      ...(thinking && { thinking }),
    },
    { [agent.id]: { program, args: agent.args } },
  );
  if (!plan.ok) throw new Error(`no way to start it again: ${plan.error.message}`);

  model.play(inTurn(wayOut(agent)));
  const began = Date.now();
  const running = startArgv([plan.value.program, ...plan.value.args]);
  const asked = model.request('with the prompt', ({ text }) => text.includes(PROMPT));
  const request = await stage.whileRuns(running, asked);
  const took = request.at - began;
  const hasHistory = request.text.includes(HISTORY);
  // A change of model may compact the history first.
  if (!other && hasHistory !== (mode !== 'fresh'))
    throw new Error(`the old history was ${hasHistory ? '' : 'not '}in the request, with ${mode}`);
  if (other && !agent.isStronger(request)) throw new Error(`the request was to ${request.model}`);
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);

  const others = () => watcher.engine.agents().filter((view) => view.session !== session);
  if (mode === 'resume') {
    if (others().length > 0) throw new Error('it went on in another session');
  } else {
    await until('the new session in the agents’ list', () => others()[0]);
    if (agent.ownFiles !== false && statSync(file).size !== size) throw new Error('the old transcript was written on');
  }
  const what = {
    resume: 'same session',
    fork: 'another session with the history',
    fresh: 'another session without history',
  };
  return `request ${time(took)} after the start, ${other ? `to ${request.model}${thinking && plan.value.remarks.length === 0 ? `, effort ${thinking}` : ''}` : what[mode]}`;
}
