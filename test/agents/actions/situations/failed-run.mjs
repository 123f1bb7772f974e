// A run without a terminal whose login is refused: it ends, and is reported as stopped by an error, never as finished.
import { after, Surface } from '../../support/surface.mjs';
import { time } from '../../support/wait.mjs';

export async function failedRun(stage) {
  const { agent, model, start, end } = stage;
  const surface = new Surface(stage);
  let asked = 0;
  model.play(() => (asked++ === 0 ? { calls: [agent.shell('git status --short')] } : { refusal: { kind: 'login' } }));
  const running = start(agent.command, 'Look around in this shop.');
  const { code } = await end(running);
  const ended = Date.now();
  const { at, record } = await surface.first('its end', ({ state }) => state === 'finished');
  // For an agent that does not write down its error, only the end of the process is known.
  const how = agent.failsSilently ? 'died' : 'error';
  if (record.ended !== how) throw new Error(`it ended with code ${code}, and was told as ${surface.tell()}`);
  return `"${await surface.words(record)}" ${at < ended ? 'before its process ended' : `${after(ended, at)} after its process ended`} with code ${code}, ${time(ended - model.main().at(-1).refusedAt)} after the last of ${asked - 1} tries`;
}
