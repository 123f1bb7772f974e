// node detect.mjs SPEC: feeds steps to one detector and prints what they cost. SPEC is JSON: { who, bundle, load, steps, sessions?, warm? } A step is
// a call with its result, preceded by a message in the load `talk`. Texts are made outside the measured time. `recorded`: a file of decoded runs
// instead of a load; each round feeds all of them to new detectors, as sessions with other names.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { who, bundle, load, steps, sessions = 1, warm = true, recorded } = JSON.parse(process.argv[2]);
const BATCH = 500;
/**
 * Steps and sessions until the engine has compiled the code that runs often; their cost is reported separately. A second session makes the engine
 * compile everything again, since what was constant for one session no longer is.
 */
const WARM = 30_000;
const WARM_SESSIONS = 6;
const TOOLS = ['Read', 'Bash', 'Edit', 'Grep', 'WebFetch'];

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 4294967296;
const word = () => Math.floor(random() * 0xfffffff).toString(36);
const text = (length) => {
  let made = '';
  while (made.length < length) made += `${word()} `;
  return made.slice(0, length);
};

/** The events of one step. Loads: `new`: all calls and results differ; `back`: 200 calls come back, each with a time stamp and another count. */
function stepOf(index) {
  const at = 1_700_000_000_000 + index * 2000;
  const which = load === 'back' ? index % 200 : index;
  const source = { file: '/t.jsonl', line: index * 3 + 1, offset: index * 3000 };
  const common = { agent: 'generic', session: 's', at, source };
  const name = TOOLS[which % TOOLS.length];
  const args = { path: `/work/src/file${which}.ts`, body: load === 'back' ? 'x'.repeat(170) : text(170), n: which };
  const result =
    load === 'back' ? `${new Date(at).toISOString()} done, step ${index}\n${'line of text\n'.repeat(75)}` : text(1024);
  const kind = ['looked', 'ran', 'changed', 'looked', 'looked'][which % TOOLS.length];
  const call = {
    ...common,
    type: 'tool_call',
    id: `c${index}`,
    name,
    args,
    kind,
    subject: `${name} ${which}`,
    target: args.path,
  };
  const answer = { ...common, type: 'tool_result', id: `c${index}`, output: result, isError: false };
  const talk = load === 'talk' ? { ...common, type: 'assistant', text: text(300), chunk: false } : null;
  return { call, answer, talk };
}

/** Settings, resolved once, as in the program. */
let options;

/** Feeds one session of recorded events to one of the two. */
function session({ agent, showsRunningTool, events }) {
  if (who === 'peer') {
    const { LoopDetectionService } = require(bundle);
    const service = new LoopDetectionService({ config: { getDisableLoopDetection: () => false } });
    return () => {
      for (const event of events) {
        let found;
        if (event.type === 'assistant') found = service.addAndCheck({ type: 'content', value: event.text });
        else if (event.type === 'tool_call')
          found = service.addAndCheck({ type: 'tool_call_request', value: { name: event.name, args: event.args } });
        else if (event.type === 'user') service.reset('prompt');
        // a finding ends the turn; the count starts over in the next one
        if (found && (found === true || found.count > 0)) service.reset('prompt');
      }
    };
  }
  const { createSessionDetectors, resolveOptions } = require(bundle);
  options ??= resolveOptions({ preset: 'balanced', detectors: {} });
  const ours = createSessionDetectors(
    { agent, showsRunningTool, options },
    { finding() {}, clearing() {}, nearMiss() {} },
  );
  return () => {
    for (const event of events) ours.push(event);
  };
}

/** Microseconds of processor time per call in recorded runs, and the number of calls and messages in a round. */
function timedRuns(runs, rounds, from = 0) {
  let micros = 0;
  for (let round = from; round < from + rounds; round++) {
    const renamed = runs.map((run) => ({
      ...run,
      events: run.events.map((event) => ({ ...event, session: `${event.session}-${round}` })),
    }));
    const before = process.cpuUsage();
    for (const run of renamed) session(run)();
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  }
  const count = (type) =>
    runs.reduce((sum, { events }) => sum + events.filter((event) => event.type === type).length, 0);
  return { micros: micros / rounds / count('tool_call'), calls: count('tool_call'), messages: count('assistant') };
}

function detector() {
  if (who === 'peer') {
    const { LoopDetectionService } = require(bundle);
    const service = new LoopDetectionService({ config: { getDisableLoopDetection: () => false } });
    return {
      push({ call, talk }) {
        if (talk) service.addAndCheck({ type: 'content', value: talk.text });
        service.addAndCheck({ type: 'tool_call_request', value: { name: call.name, args: call.args } });
      },
    };
  }
  const { createSessionDetectors, resolveOptions } = require(bundle);
  const ours = createSessionDetectors(
    {
      agent: 'generic',
      showsRunningTool: true,
      options: resolveOptions({ preset: 'balanced', detectors: {} }),
    },
    { finding() {}, clearing() {}, nearMiss() {} },
  );
  return {
    push({ call, answer, talk }) {
      if (talk) ours.push(talk);
      ours.push(call);
      ours.push(answer);
    },
  };
}

/** Microseconds of processor time per step, fed to one detector. */
function timed(one, count, from = 0) {
  let micros = 0;
  for (let done = 0; done < count; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - done) }, (_, index) => stepOf(from + done + index));
    const before = process.cpuUsage();
    for (const step of batch) one.push(step);
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  }
  return micros / count;
}

if (recorded) {
  const runs = JSON.parse(readFileSync(recorded, 'utf8'));
  // loading the program is no step
  require(bundle);
  if (warm) timedRuns(runs, 8);
  console.log(JSON.stringify(timedRuns(runs, warm ? 8 : 1, 8)));
} else if (sessions > 1) {
  const kept = [];
  // Code compiled meanwhile belongs to no session, so this warms up as much as the timing of a step does.
  for (let session = 0; session < WARM_SESSIONS; session++) timed(detector(), WARM / WARM_SESSIONS);
  global.gc();
  const before = process.memoryUsage();
  for (let index = 0; index < sessions; index++) {
    const one = detector();
    timed(one, steps);
    kept.push(one);
  }
  global.gc();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  console.log(JSON.stringify({ kilobytes: bytes / 1024 / kept.length }));
} else {
  const before = warm ? WARM_SESSIONS : 0;
  for (let session = 0; session < before; session++) timed(detector(), WARM / WARM_SESSIONS);
  console.log(JSON.stringify({ micros: timed(detector(), steps) }));
}
