/**
 * A realistic home: 3,000 transcripts of the last 90 days in 240 projects, 2 GB, 285 of them from the open folder, and 15 sessions of today there.
 * Made from generated transcripts: each is given its folder, and those of today get today's time as well.
 */
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { corpus, corpusFolder } from './corpus.mjs';

const PROJECTS = 240;
const OPEN = 285;
const DAY_MS = 86_400_000;
const TODAY = { claude: 10, codex: 5 };

/**
 * @typedef {object} UsedHome
 * @property {string} home
 * @property {string} workspace the open folder
 * @property {{ path: string, agent: 'claude' | 'codex', session: string }[]} today
 */

/** Makes the sessions of today for each run, and the old transcripts once a day. Undefined if the generator is absent. @returns {UsedHome | undefined} */
export function usedHome() {
  const old = { claude: corpus('old-claude'), codex: corpus('old-codex') };
  const young = { claude: corpus('today-claude'), codex: corpus('today-codex') };
  if (!old.claude || !old.codex || !young.claude || !young.codex) return undefined;
  const place = join(corpusFolder, 'used-home');
  const home = join(place, 'home');
  const projects = Array.from({ length: PROJECTS }, (_, index) => join(place, 'projects', `project-${index}`));
  const workspace = /** @type {string} */ (projects[0]);
  const now = Date.now();
  // Codex has a folder for each day: of what was made on another day, each transcript would be there twice.
  const madeOn = join(place, 'made-on');
  const day = new Date(now).toISOString().slice(0, 10);
  if (!fs.existsSync(madeOn) || fs.readFileSync(madeOn, 'utf8') !== day)
    fs.rmSync(place, { recursive: true, force: true });
  for (const project of projects) fs.mkdirSync(project, { recursive: true });
  for (const agent of /** @type {const} */ (['claude', 'codex'])) {
    for (const [index, file] of old[agent].entries()) {
      const every = Math.floor((old.claude.length + old.codex.length) / OPEN);
      const project = index % every === 0 ? workspace : /** @type {string} */ (projects[1 + (index % (PROJECTS - 1))]);
      const at = now - (2 + (index * 90) / old[agent].length) * DAY_MS;
      const path = placeOf(home, agent, file, project, at);
      if (!fs.existsSync(path)) copy(file, path, project);
      fs.utimesSync(path, at / 1000, at / 1000);
    }
  }
  fs.writeFileSync(madeOn, day);
  const today = [];
  for (const agent of /** @type {const} */ (['claude', 'codex']))
    for (const file of young[agent].slice(0, TODAY[agent])) {
      const path = placeOf(home, agent, file, workspace, now);
      copy(file, path, workspace, now);
      today.push({ path, agent, session: sessionOf(agent, file) });
    }
  return { home, workspace, today };
}

/** Records of an agent in the given number of steps: a look at a file and its result, two lines a step. */
export function steps(/** @type {UsedHome['today'][number]} */ { agent, session }, /** @type {number} */ count) {
  const lines = [];
  for (let step = 0; step < count; step++) {
    const timestamp = new Date().toISOString();
    const call = `call_${crypto.randomUUID()}`;
    const output = `export const value = '${crypto.randomUUID().repeat(20)}';`;
    if (agent === 'codex') {
      const args = JSON.stringify({ command: ['bash', '-lc', `cat src/file-${crypto.randomUUID()}.ts`] });
      lines.push({
        timestamp,
        type: 'response_item',
        payload: { type: 'function_call', name: 'shell', arguments: args, call_id: call },
      });
      const given = JSON.stringify({ output, metadata: { exit_code: 0, duration_seconds: 0.1 } });
      lines.push({
        timestamp,
        type: 'response_item',
        payload: { type: 'function_call_output', call_id: call, output: given },
      });
      continue;
    }
    const envelope = { sessionId: session, timestamp, isSidechain: false };
    const use = {
      type: 'tool_use',
      id: call,
      name: 'Read',
      input: { file_path: `src/file-${crypto.randomUUID()}.ts` },
    };
    const message = {
      id: `msg_${call}`,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [use],
      stop_reason: 'tool_use',
    };
    lines.push({ ...envelope, type: 'assistant', uuid: crypto.randomUUID(), message });
    const result = { type: 'tool_result', tool_use_id: call, content: output };
    lines.push({ ...envelope, type: 'user', uuid: crypto.randomUUID(), message: { role: 'user', content: [result] } });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The agent has answered and waits for its person. */
export function turnEnd(/** @type {UsedHome['today'][number]} */ { agent, session }) {
  const timestamp = new Date().toISOString();
  const text = 'The parser is mended.';
  const line =
    agent === 'codex'
      ? {
          timestamp,
          type: 'event_msg',
          payload: { type: 'task_complete', turn_id: crypto.randomUUID(), last_agent_message: text },
        }
      : {
          sessionId: session,
          timestamp,
          isSidechain: false,
          type: 'assistant',
          uuid: crypto.randomUUID(),
          message: {
            id: `msg_${crypto.randomUUID()}`,
            role: 'assistant',
            content: [{ type: 'text', text }],
            stop_reason: 'end_turn',
          },
        };
  return `${JSON.stringify(line)}\n`;
}

function placeOf(home, agent, file, project, at) {
  if (agent === 'claude') return join(home, '.claude/projects', project.replace(/[^A-Za-z0-9]/g, '-'), basename(file));
  const day = new Date(at).toISOString().slice(0, 10);
  const session = sessionOf(agent, file);
  return join(home, '.codex/sessions', day.replaceAll('-', '/'), `rollout-${day}T08-00-00-${session}.jsonl`);
}

function sessionOf(agent, file) {
  const name = basename(file, '.jsonl');
  return agent === 'claude' ? name : name.slice(-36);
}

/** @param {number} [endsAt] when the last record was written; as generated if absent */
function copy(file, path, project, endsAt) {
  let text = fs.readFileSync(file, 'latin1').replaceAll('/home/dev/app', project);
  if (endsAt !== undefined) {
    // Sub-agents of today have separate files.
    text = text.replaceAll('"isSidechain":true', '"isSidechain":false');
    const stamp = /"timestamp":"(\d{4}-[^"]{19,21}Z)"/g;
    const times = [...text.matchAll(stamp)].map(([, time]) => Date.parse(time ?? ''));
    const later = endsAt - Math.max(...times);
    text = text.replace(stamp, (_, time) => `"timestamp":"${new Date(Date.parse(time) + later).toISOString()}"`);
  }
  fs.mkdirSync(join(path, '..'), { recursive: true });
  fs.writeFileSync(path, text, 'latin1');
}
