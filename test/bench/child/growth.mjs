// growth.mjs BUNDLE WHAT COUNT : the cost of a step once COUNT of WHAT exist. Prints, as JSON, the cost of one step: processor time in microseconds,
// and instructions if the parent counts them (support/instructions.mjs).
//   steps, incidents  the session had 10,000 steps, or 8,000 incidents that are over (COUNT 0: none; an old one runs next to it)
//   files      COUNT old transcripts are next to it     sessions   COUNT sessions are followed
//   history    the store holds COUNT incidents; each measured step makes one more
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { counted } from '../support/instructions.mjs';

const [bundle, what, count] = process.argv.slice(2);
const {
  Engine,
  IncidentBook,
  Session,
  createTail,
  openStore,
  registry,
  resolveOptions,
  silentLog,
  systemClock,
  systemProbe,
} = createRequire(import.meta.url)(bundle);
const old = Number(count);
const START = Date.now() - 3_600_000;
/** Steps in both processes beforehand, so that the engine has compiled what is measured. */
const WARM = 3_000;
const MEASURED = { alone: 2_000, followed: 300, stored: 300 };
const PARTS = 4;
const folder = mkdtempSync(join(tmpdir(), 'unstuck-growth-'));

const cost =
  what === 'steps' || what === 'incidents'
    ? await alone()
    : what === 'history'
      ? await stored()
      : await followed(what === 'sessions');
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(cost));
process.exit(0);

/**
 * One session, without files: a step is a call with its result, and a look at what is shown of it. A young session and an old one run side by side,
 * so that both find the same compiled code; one of them is counted.
 */
async function alone() {
  const young = script(newSession());
  const aged = script(newSession());
  if (what === 'steps') aged.steps(10_000);
  else while (aged.incidents() < 8_000) aged.incident();
  young.steps(200);
  const [one, other] = old === 0 ? [young, aged] : [aged, young];
  const parts = [];
  for (let part = 0; part < PARTS; part++) {
    other.steps(MEASURED.alone / PARTS);
    parts.push(await counted(MEASURED.alone / PARTS, async () => one.steps(MEASURED.alone / PARTS)));
  }
  const micros = parts.reduce((sum, part) => sum + part.micros, 0) / PARTS;
  return { steps: MEASURED.alone, micros, incidents: one.incidents(), before: one.session.stepCount };
}

/**
 * Steps of one session: changes of files, each a mark of progress, and commands; with `incident` they fail the same way until it is noticed, and then
 * no longer.
 */
function script(session, seen = { incidents: 0 }) {
  let index = 0;
  let line = 0;
  const event = (fields) => {
    line++;
    const source = { file: '/t.jsonl', line, offset: line * 900 };
    session.push({ agent: 'generic', session: 's', at: START + index * 1000, source, ...fields });
  };
  const step = (name, kind, subject, args, text, failed = false) => {
    index++;
    const id = `c${index}`;
    const way = kind === 'ran' ? { command: args.command } : { target: args.file_path };
    event({ type: 'tool_call', id, name, kind, subject, args, ...way });
    event({ type: 'tool_result', id, output: text, isError: failed });
  };
  seen = session.seen ?? seen;
  return {
    session,
    incidents: () => seen.incidents,
    steps(many) {
      for (let made = 0; made < many; made++) {
        const path = `src/part-${index % 40}.ts`;
        if (made % 2 === 0)
          step(
            'Edit',
            'changed',
            path,
            { file_path: path, old_string: `a${index}`, new_string: `b${index}` },
            `updated ${path} ${index}`,
          );
        else
          step(
            'Bash',
            'ran',
            `npm run part-${index % 40}`,
            { command: `npm run part-${index % 40}` },
            `done ${index}, ${index * 7}`,
          );
        session.view(START + index * 1000);
      }
    },
    incident() {
      const number = index;
      const command = `npm run check-${number}`;
      for (let round = 0; round < 5; round++)
        step('Bash', 'ran', command, { command }, `it fails, as in ${number}`, true);
      step('Bash', 'ran', command, { command }, `well done ${number}`);
      event({ type: 'user', text: `Go on with ${number}`, automated: false });
    },
  };
}

function newSession() {
  const seen = { incidents: 0 };
  const session = new Session({
    agent: 'generic',
    agentName: 'Agent',
    session: 's',
    file: '/t.jsonl',
    showsRunningTool: true,
    detectors: resolveOptions({ preset: 'balanced', detectors: {} }),
    isHistory: () => false,
    live: true,
    onIncident: (_incident, before) => {
      if (before === null) seen.incidents++;
    },
  });
  session.seen = seen;
  return session;
}

/** The engine over a folder of transcripts: a step is appended to only one of them, and read. */
async function followed(areLive) {
  script(newSession()).steps(WARM);
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  const store = join(folder, 'store');
  mkdirSync(store);
  const others = Array.from({ length: areLive ? Math.max(0, old - 1) : old }, (_, at) =>
    join(store, `other-${at}.agent.jsonl`),
  );
  // Fewer sessions are followed if they are in the workspace itself.
  const roots = [{ path: store, depth: 0, matches: (path) => path.endsWith('.agent.jsonl'), cwd: workspace }];
  const adapters = registry.map((one) => (one.id === 'generic' ? { ...one, locate: () => roots } : one));
  const long = new Date(Date.now() - 30 * 86_400_000);
  for (const [at, path] of others.entries()) {
    writeFileSync(path, lines(`other-${at}`, 0, 10, areLive ? Date.now() : long.getTime()));
    if (!areLive) utimesSync(path, long, long);
  }
  const path = join(workspace, 'live.agent.jsonl');
  writeFileSync(path, lines('live', 0, 2_000));
  const tail = createTail({ log: silentLog });
  const engine = new Engine(
    {
      adapters,
      environment: { home: folder, env: {}, platform: process.platform },
      probe: systemProbe,
      tail,
      clock: systemClock,
      log: silentLog,
      mail: {
        read: async () => [],
        write: done,
        interrupted: done,
        call: done,
        passOn: async () => false,
        expire: done,
        clean: done,
      },
      stored: () => undefined,
      readSmall: () => undefined,
    },
    {
      folders: [workspace],
      walksFolders: true,
      maxAgeMs: 86_400_000,
      historyMs: 90 * 86_400_000,
      disabled: new Set(),
      detectors: (agent) => resolveOptions({ preset: 'balanced', detectors: {} }, agent),
    },
  );
  const until = async (steps, sessions) => {
    while ((engine.session('live')?.stepCount ?? 0) < steps || engine.agents().length < sessions) await wait(50);
  };
  engine.onDidChange((keys) => keys.forEach((key) => engine.shownAgent(key)));
  engine.start();
  await until(2_000, areLive ? others.length + 1 : 1);
  let written = 2_000;
  const append = async (many) => {
    for (let made = 0; made < many; made++) {
      appendFileSync(path, lines('live', written, written + 1));
      written++;
      await wait(5);
    }
    while ((engine.session('live')?.stepCount ?? 0) < written) await wait(10);
  };
  await append(150);
  const cost = await counted(MEASURED.followed, () => append(MEASURED.followed));
  const sessions = engine.agents().length;
  engine.dispose();
  tail.dispose();
  return { ...cost, sessions };
}

async function done() {}

/** Lines of the generic format: a prompt before the first step, and steps that each read another file. */
function lines(session, from, to, end = Date.now()) {
  const line = (t, fields) => `${JSON.stringify({ v: 1, t, session, ...fields })}\n`;
  const made = from === 0 ? [line(end - (to + 1) * 1_000, { type: 'user', text: 'Mend the parser' })] : [];
  for (let step = from; step < to; step++) {
    const t = end - (to - step) * 1_000;
    made.push(line(t, { type: 'tool_call', id: `c${step}`, name: 'Read', args: { file: `src/part-${step}.ts` } }));
    made.push(line(t + 500, { type: 'tool_result', id: `c${step}`, output: `export const part = ${step};` }));
  }
  return made.join('');
}

/** A step that opens an incident, which the store keeps. Another store runs first, so that both processes have compiled what is measured. */
async function stored() {
  await history('warm', 2_000, async (_steps, work) => await work());
  return await history('store', old, counted);
}

async function history(name, before, measured) {
  const store = await openStore({
    folder: join(folder, name),
    wasm: '',
    clock: systemClock,
    window: 'growth',
    log: silentLog,
    stays: false,
  });
  let number = 0;
  const writes = [];
  const book = new IncidentBook({
    facts: () => ({
      agent: 'generic',
      agentName: 'Agent',
      session: `s${number >> 4}`,
      title: 'Fix it',
      file: '/t.jsonl',
    }),
    id: () => `i${number}`,
    isHistory: () => false,
    onChange: (incident) => {
      store.adopt(incident.id);
      writes.push(store.save(incident));
    },
  });
  const step = () => {
    number++;
    const at = Date.now() - 60_000;
    const source = { file: '/t.jsonl', line: number, offset: number * 100 };
    const key = `outcome:${number}`;
    const common = { detector: 'repeating_outcome', rule: null, key, at, source };
    book.finding({
      ...common,
      reason: 'repetition_loop',
      exhaustion: null,
      level: 'stuck',
      certainty: 'counted',
      confidence: 0.9,
      count: 4,
      limit: 4,
      firstAt: at,
      first: source,
      evidence: [{ source, at, role: 'first', subject: 'pytest -q', text: '1 failed' }],
      subject: 'pytest -q',
      why: '`pytest -q` gave the same result 4 times.',
      suggestion: 'Look at the failing place.',
      clears: [],
    });
    book.clearing({ ...common, reason: 'different_result' });
    for (let seen = 0; seen < 60; seen++) book.step();
  };
  const flush = async () => void (await Promise.all(writes.splice(0)));
  const many = async (steps) => {
    for (let made = 0; made < steps; made++) {
      step();
      if (made % 20 === 19) await flush();
    }
    await flush();
  };
  await many(300);
  for (let made = 0; made < before; made += 1_000) await many(1_000);
  await many(100);
  const cost = await measured(MEASURED.stored, () => many(MEASURED.stored));
  await store.close();
  return { ...cost, rows: store.current().length };
}
