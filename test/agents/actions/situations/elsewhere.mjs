// A running agent whose own environment moves its files: it is not listed but is found by its process, and it is listed once the window looks in that
// place.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Surface } from '../../support/surface.mjs';
import { time, until } from '../../support/wait.mjs';

/** Milliseconds after which an agent that is not listed counts as not found by its files. */
const LISTED_WITHIN = 5_000;

export async function elsewhere(stage) {
  const { agent, model, watcher, sandbox, parts, env } = stage;
  const { variable, files } = agent.interactive.movedBy;
  const folder = join(sandbox.root, 'moved');
  model.play(() => ({ calls: [agent.shell('sleep 2; git status --short')] }));
  const move = () => {
    for (const [from, to] of files) cpSync(join(sandbox.home, from), join(folder, to), { recursive: true });
    return { [variable]: folder };
  };
  const terminal = await stage.open({ moved: move });
  await terminal.prompt('Look around in this shop.');
  await until('its work', () => model.main().length > 2);
  await pause(LISTED_WITHIN);
  if (watcher.engine.agents().length > 0) throw new Error('it is listed, so its files were not moved');

  const began = Date.now();
  const processes = await parts.findAgentProcesses(process.getuid());
  const here = { home: sandbox.home, env: { ...sandbox.env, ...env } };
  const found = await parts.elsewhereOf(agent.id, processes, [sandbox.opened], here);
  const took = Date.now() - began;
  if (found?.variable !== variable || found.folder !== folder || !found.settable)
    throw new Error(`found ${JSON.stringify(found)}`);
  const looked = Date.now();
  const surface = new Surface(stage, { [variable]: folder });
  const { at } = await surface.first('the agent', ({ state }) => state === 'working');
  return `${variable} found in ${time(took)} in its process; listed ${time(at - looked)} after the window looks there`;
}
