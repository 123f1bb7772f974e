// The person's own Stop hook is never satisfied: the agent is reported as stuck, and the hook is named.
import { join } from 'node:path';
import { Surface } from '../../support/surface.mjs';
import { time, until } from '../../support/wait.mjs';

const COMMAND = "echo 'The changelog is missing. Write it first.' >&2; exit 2";

/** The hook is in the person's settings before anything else. */
export function prepareHook(sandbox) {
  for (const file of ['.claude/settings.json', '.codex/hooks.json'])
    sandbox.write(
      join(sandbox.home, file),
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: COMMAND }] }] } }, null, 2),
    );
}

export async function heldByHook(stage) {
  const { agent, model, watcher, say } = stage;
  const surface = new Surface(stage);
  const terminal = await stage.open();
  // The agent says the same words each time. The alarm still belongs to the hook, whose owner can repair it.
  model.play(() => ({ text: 'I looked around, and all of it is done.' }));
  await terminal.prompt('Look around in this shop.');
  const stuck = await surface.first('an agent that is stuck', ({ state }) => state === 'stuck');
  const words = await surface.words(stuck.record);
  const fifth = await until('its sixth request', () => model.main()[5]);
  const { incident } = await watcher.alarm();
  const names = agent.interactive.namesHook;
  if (!incident.subject.includes(names)) throw new Error(`the hook is named as ${incident.subject}`);
  const cap = agent.interactive.blockCap;
  if (cap !== undefined) {
    await terminal.sees('the end that the program makes', /overriding and ending turn/);
    const blocks = model.main().length;
    if (blocks !== cap) throw new Error(`the program ended the turn after ${blocks} blocks, not ${cap}`);
    await surface.first('its turn to be over', (record) => record.for === 'turn_end', stuck.at);
  } else {
    await until('many more blocks', () => model.main().length > 25);
    terminal.keys('Escape');
  }
  say(incident.why);
  return `"${words}" ${time(Math.max(0, stuck.at - fifth.at))} after the 5th block; ${cap === undefined ? `no end after ${model.main().length} blocks` : `ended by its program after ${cap} blocks`}`;
}
