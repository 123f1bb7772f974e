// Compares the newest version of each agent on npm with the pinned one: whether it is found, decoded, alarmed and nudged, and what is new in its
// files. This depends on what npm has today, so it is not part of the tests: it shows what the next pinned version will bring.
//   npm run test:newest [-- agent…]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stuckAgent } from './actions/loop.mjs';
import { chosenAgents, EVERY_AGENT } from './agents/index.mjs';
import { ScriptedModel } from './model/server.mjs';
import { buildParts } from './support/build.mjs';
import { install } from './support/install.mjs';
import { newestOf } from './support/published.mjs';
import { formsIn, isNewIn } from './support/record-forms.mjs';
import { click } from './support/recovery.mjs';
import { Stage } from './support/stage.mjs';
import { time } from './support/wait.mjs';

/** Entries listed of what is new. */
const MOST_NAMED = 8;
/** Versions tried of one agent. */
const MOST_TRIED = 5;

const scratch = mkdtempSync(join(tmpdir(), 'unstuck-agents-newest-'));
let open = null;
const leave = async () => {
  await open?.stage.close();
  rmSync(scratch, { recursive: true, force: true });
  process.exit(1);
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void leave());

const named = process.argv.slice(2);
const agents = named.length > 0 ? chosenAgents(named, false) : EVERY_AGENT;
const rows = [];
try {
  const built = await buildParts(scratch);
  for (const agent of agents) rows.push(await rowOf(agent, built));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
print(rows);

async function rowOf(pinned, built) {
  const row = {
    name: pinned.name,
    pinned: pinned.version,
    newest: '',
    date: '',
    found: '',
    decoded: '',
    alarm: '',
    nudge: '',
    changed: '',
  };
  try {
    const { agent, date, missing } = newestThatInstalls(pinned);
    Object.assign(row, { newest: agent.version, date });
    const seen = await tried(agent, built);
    Object.assign(row, seen.row);
    if (agent.version === pinned.version) row.changed = 'the pinned one';
    else row.changed = listed(isNewIn(seen.forms, (await tried(pinned, built)).forms), seen.skipped);
    if (missing.length > 0) row.changed += `; ${missing.join(', ')} cannot be installed`;
  } catch (error) {
    row.changed = `not run: ${error.message.split('\n')[0]}`;
    console.log(`FAILED  ${pinned.name}: ${error.message}`);
  }
  return row;
}

/** A version may depend on another package that npm does not have yet, or not here. */
function newestThatInstalls(pinned) {
  const missing = [];
  for (const { version, date } of newestOf(pinned.newest ?? pinned.package, MOST_TRIED)) {
    const agent = { ...pinned, package: pinned.newest ?? pinned.package, version };
    try {
      install(agent, console.log);
      return { agent, date, missing };
    } catch (error) {
      console.log(`${pinned.name} ${version}: ${error.message}`);
      missing.push(version);
    }
  }
  throw new Error(`none of ${missing.join(', ')} can be installed`);
}

/** One run of one version. What it did not reach stays a dash. */
async function tried(agent, built) {
  const say = (text) => console.log(`${agent.name} ${agent.version}: ${text}`);
  const program = install(agent, say);
  const model = await ScriptedModel.start();
  const stage = new Stage({ agent, program, model, built, say, connected: true, scope: agent.scope });
  open = { stage, model };
  const row = { found: 'no', decoded: '–', alarm: '–', nudge: '–' };
  let seen = { forms: new Set(), skipped: [] };
  try {
    const play = await stage.open();
    await played(play, row, say).catch((error) => say(`${error.message}\n${stage.lastWords()}`));
    seen = await readBack(play, row);
  } finally {
    await stage.close();
    await model.close();
    open = null;
  }
  return { row, ...seen };
}

/** The loop, its alarm, the nudge. */
async function played(play, row, say) {
  const { recovery, watcher, model, parts } = play;
  const stuck = await stuckAgent(play, ({ text }) => text.includes('[unstuck '), { again: false });
  row.alarm = time(stuck.took);
  const clicked = Date.now();
  const { message } = (await click(recovery, stuck.alarm.incident, { action: 'nudge' })).delivery;
  const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
  row.nudge = time(request.at - clicked);
  const { outcome } = await watcher.receipt(stuck.session, message.id, 'acted');
  say(`acted: ${outcome}`);
  await play.end(stuck.running);
}

/** Checks what `discover`, the list of agents and `scan` make of the files that the run left behind. */
async function readBack({ cli, sandbox, env, watcher, agent }, row) {
  const run = (...args) => {
    const options = { cwd: sandbox.workspace, env: { ...sandbox.env, ...env, NO_COLOR: '1' }, encoding: 'utf8' };
    const { stdout } = spawnSync(process.execPath, [cli, ...args, '--json'], options);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  // One record for each form that an agent writes.
  const records = run('discover', sandbox.workspace).filter((one) => one.kind === 'agent' && one.agent === agent.id);
  const [transcript] = records.flatMap(({ transcripts }) => transcripts);
  if (!transcript) return { forms: new Set(), skipped: [records[0]?.why ?? 'discover does not name it'] };
  row.found = 'yes';
  const listed = watcher.engine.agents().find(({ file }) => file === transcript.file);
  if (listed) row.decoded = `${listed.coverage.seen} of ${listed.coverage.there}`;
  const scanned = run('scan', transcript.file);
  const file = scanned.find(({ kind }) => kind === 'file');
  if (!scanned.some(({ kind, level }) => kind === 'incident' && level === 'stuck')) row.alarm += ', none by scan';
  return {
    forms: transcript.file.endsWith('.db') ? new Set() : formsIn(readFileSync(transcript.file, 'utf8')),
    skipped: (file?.skipped ?? []).map(({ why }) => why),
  };
}

function listed(fresh, skipped) {
  const words = [...fresh, ...new Set(skipped.map((why) => `not read: ${why}`))];
  if (words.length === 0) return 'nothing';
  const more = words.length > MOST_NAMED ? ` and ${words.length - MOST_NAMED} more` : '';
  return words.slice(0, MOST_NAMED).join('; ') + more;
}

function print(list) {
  console.log(
    '\n| agent | pinned | newest | of | found | steps seen of steps there | alarm | nudge delivered | new in its files |',
  );
  console.log(`| ${Array.from({ length: 9 }, () => '---').join(' | ')} |`);
  for (const row of list) console.log(`| ${Object.values(row).join(' | ')} |`);
  const done = list.filter(({ nudge }) => nudge !== '' && nudge !== '–').length;
  console.log(`\n${done} of ${list.length} took the nudge`);
  process.exitCode = done > 0 ? 0 : 1;
}
