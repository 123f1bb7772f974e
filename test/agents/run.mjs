// Real agents, end to end: each is installed at its pinned version, runs in a clean home against a scripted model, gets stuck, and is freed.
//   node test/agents/run.mjs [agent[@version]…] [--oldest] [--only action,…] [--interactive] [--record]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ACTIONS } from './actions/index.mjs';
import { chosenAgents } from './agents/index.mjs';
import { ScriptedModel } from './model/server.mjs';
import { buildParts } from './support/build.mjs';
import { install, NotHere } from './support/install.mjs';
import { Stage } from './support/stage.mjs';
import { record } from './support/record.mjs';
import { Results } from './support/results.mjs';
import { needTmux } from './support/terminal.mjs';
import { time } from './support/wait.mjs';

const options = {
  only: { type: 'string' },
  oldest: { type: 'boolean' },
  interactive: { type: 'boolean' },
  record: { type: 'boolean' },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const agents = chosenAgents(positionals, values.oldest === true);
const wanted = values.only?.split(',');
const actions = ACTIONS.filter(({ id, interactive, rare }) => {
  if (wanted) return wanted.includes(id);
  return values.interactive ? interactive : !rare;
});

// If the run is ended from outside, no agent stays behind.
let open = null;
const leave = async () => {
  await open?.stage.close();
  rmSync(scratch, { recursive: true, force: true });
  process.exit(1);
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void leave());

const began = Date.now();
const results = new Results(agents, actions);
const scratch = mkdtempSync(join(tmpdir(), 'unstuck-agents-build-'));
try {
  const built = await buildParts(scratch);
  for (const agent of agents) {
    const say = (text) => console.log(`${agent.name} ${agent.version}: ${text}`);
    let program;
    try {
      program = install(agent, say);
    } catch (error) {
      if (error instanceof NotHere) results.skip(agent, error.message);
      else results.fail(agent, error.message);
      continue;
    }
    let trusted = '';
    const tellTrust = (text) => {
      if (text !== trusted) say(text);
      trusted = text;
    };
    for (const action of actions) {
      const why = agent.impossible[action.id];
      const missing = agent.missing?.[action.id];
      if (why ?? missing) {
        results.notDone(agent, action, why ? 'impossible' : 'not built', why ?? missing);
        continue;
      }
      if (action.needs && !action.needs(agent)) {
        results.notDone(agent, action, 'not tried', action.without);
        continue;
      }
      if (action.interactive) {
        try {
          needTmux(say);
        } catch (error) {
          results.notDone(agent, action, 'skipped', error.message);
          continue;
        }
      }
      const model = await ScriptedModel.start();
      const stage = new Stage({
        agent,
        program,
        model,
        built,
        say: (text) => say(`${action.id}: ${text}`),
        connected: action.connected,
        scope: action.scope,
        prepare: action.prepare,
        brakes: action.brakes,
        budgets: action.budgets,
        trusted: tellTrust,
      });
      open = { stage, model };
      try {
        results.passed(agent, action, await action.run(await stage.open()));
      } catch (error) {
        results.failed(agent, action, error, stage.lastWords());
      } finally {
        await stage.close();
        await model.close();
        open = null;
        // Written at once, so that a run that is ended from outside keeps what has been tried so far.
        if (values.record) record(results);
      }
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
results.print();
console.log(`took ${time(Date.now() - began)}`);
console.log(`${results.passes} passed, ${results.failures} failed`);
process.exitCode = results.failures > 0 || results.passes === 0 ? 1 : 0;
