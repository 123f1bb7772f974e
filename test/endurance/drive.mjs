/** Writes what the plan says, in real time: a step of each live agent every half to whole second, ten times the pace of real ones. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from './random.mjs';
import { failing, taskOf } from './work.mjs';
import { append, WRITERS } from './writers.mjs';

const STEPS_OF_OLD = 60;
/** Times from a call to its result, and from there to the next call, in milliseconds: minimum and range. */
const RUNS = [100, 250];
const THINKS = [300, 450];
/** Tasks between two answers, and how long a person takes to give the next one, in milliseconds. */
const TASKS_OF_A_TURN = 3;
const PERSON = [2_000, 6_000];
/** The share of writes that reach the file in two parts. */
const HALVED = 0.05;
/** Two agents that are refused within two minutes are an outage, which is not planned: overloads stay this far apart, in milliseconds. */
const BETWEEN_OUTAGES = 150_000;

/**
 * Writes the sessions that ended before the window opens.
 *
 * @param {import('./plan.mjs').Old[]} old
 * @param {{ home: string, workspace: string }} place
 * @returns {string[]} their files, oldest first
 */
export function writeOld(old, place) {
  return old.map(({ id, agent, seed, number, ageMinutes, isStuck }) => {
    const random = createRandom(seed);
    const end = Date.now() - ageMinutes * 60_000;
    let clock = end - STEPS_OF_OLD * 6_000;
    const writer = WRITERS[agent]({ ...place, session: id, now: () => (clock += 2_500) });
    let text = writer.head();
    /** @type {import('./work.mjs').Step[]} */
    const written = [];
    const write = (/** @type {import('./work.mjs').Step} */ step) => {
      text += writer.step(step, `${written.push(step)}`).join('');
    };
    for (let task = 1; written.length < STEPS_OF_OLD; task++) {
      const { task: prompt, steps: list, answer } = taskOf(random, number * 100 + task);
      text += writer.prompt(prompt);
      for (const step of list) write(step);
      if (isStuck && written.length >= STEPS_OF_OLD)
        for (let time = 0; time < 6; time++) write(failing(`tests/test_old_${number}.py`, `old_${number}`, 1, 2));
      text += writer.answer(answer);
    }
    append(writer.file, text);
    fs.utimesSync(writer.file, new Date(clock), new Date(clock));
    return writer.file;
  });
}

/**
 * Runs all slots until their sessions have ended.
 *
 * @param {ReturnType<import('./plan.mjs').planOf>} plan
 * @param {{ home: string, workspace: string, oldFiles: string[], log: (text: string) => void }} place `oldFiles`: for each session that
 *   begins later, the oldest transcript is deleted
 */
export function drive(plan, { home, workspace, oldFiles, log }) {
  const oldest = [...oldFiles];
  const counts = { steps: 0, begun: 0, ended: 0, deleted: 0, bytes: 0 };
  /** @type {{ id: string, name: string }[]} */
  const told = [];
  let held = Promise.resolve();
  let nextOutage = 0;
  let goOn = () => {};
  /** Lines of which one half has been written. @type {Set<Promise<void>>} */
  const halves = new Set();
  const done = Promise.all(plan.slots.map((sessions) => slot(sessions)));
  return {
    done,
    counts,
    /** Troubles that have happened so far. */
    told,
    /** Pauses all writing until `goOn`. Resolves when the last line has been written. */
    hold: async () => {
      held = new Promise((settle) => (goOn = settle));
      await Promise.all(halves);
    },
    goOn: () => goOn(),
  };

  async function slot(/** @type {import('./plan.mjs').Planned[]} */ sessions) {
    let needsRoom = false;
    for (const session of sessions) {
      if (needsRoom) remove(oldest.shift());
      counts.begun++;
      const isDeleted = await live(session);
      counts.ended++;
      needsRoom = !isDeleted;
    }
  }

  function remove(/** @type {string | undefined} */ file) {
    if (file === undefined) return;
    fs.rmSync(file, { force: true });
    counts.deleted++;
  }

  async function live(
    /** @type {import('./plan.mjs').Planned} */ { id, agent, seed, number, troubles, seconds, ends },
  ) {
    const random = createRandom(seed);
    const writer = WRITERS[agent]({ session: id, home, workspace, now: Date.now });
    const process = ends === 'killed' ? startProcess(home, workspace, id) : null;
    const time = { elapsed: 0 };
    let steps = 0;
    const pause = async (/** @type {number} */ ms) => {
      await sleep(ms);
      time.elapsed += ms;
      await held;
    };
    const between = (/** @type {number[]} */ [least = 0, further = 0]) => pause(least + random() * further);
    const write = async (/** @type {string} */ text) => {
      counts.bytes += text.length;
      if (random() >= HALVED) return append(writer.file, text);
      // As if from a full buffer: the rest of the line comes later.
      const cut = Math.floor(random() * text.length);
      append(writer.file, text.slice(0, cut));
      const half = sleep(30).then(() => append(writer.file, text.slice(cut)));
      halves.add(half);
      await half;
      halves.delete(half);
      return undefined;
    };
    const step = async (/** @type {import('./work.mjs').Step} */ one, wait = 0) => {
      const [call, result] = writer.step(one, `${steps++}`);
      await write(call);
      await (wait > 0 ? pause(wait * 1000) : between(RUNS));
      await write(result);
      counts.steps++;
      await between(THINKS);
    };
    const carryOut = async (/** @type {import('./trouble.mjs').Action} */ action) => {
      if ('step' in action) return step(action.step);
      if ('pending' in action) return step(action.pending, action.wait);
      if ('wait' in action) return pause(action.wait * 1000);
      if ('prompt' in action) return write(writer.prompt(action.prompt));
      if ('answer' in action) {
        await write(writer.answer(action.answer));
        return between(PERSON);
      }
      if ('outage' in action) {
        for (let time = 0; time < action.outage; time++) {
          await write(writer.outage());
          await between(THINKS);
        }
        return undefined;
      }
      if ('tear' in action) {
        const [call] = writer.step(action.tear, `${steps++}`);
        append(writer.file, call.slice(0, call.length / 2));
        return between(THINKS);
      }
      if ('file' in action) {
        if (action.file === 'delete') fs.rmSync(writer.file);
        if (action.file === 'rotate') fs.renameSync(writer.file, `${writer.file}.1`);
        if (action.file === 'truncate') fs.truncateSync(writer.file);
        if (action.file !== 'delete') append(writer.file, writer.head() + writer.prompt('Go on.'));
        return between(THINKS);
      }
      throw new Error(`no such action: ${JSON.stringify(action)}`);
    };

    await write(writer.head());
    const left = [...troubles];
    let isDeleted = false;
    for (let task = 1; time.elapsed < seconds * 1000 && !isDeleted; task++) {
      const { task: prompt, steps: list, answer } = taskOf(random, number * 1000 + task);
      await write(writer.prompt(prompt));
      for (const [index, one] of list.entries()) {
        await step(one);
        if (time.elapsed >= seconds * 1000 && index > 3) break;
        const due = left[0];
        if (!due || time.elapsed < due.after * 1000) continue;
        const actions = due.trouble.actions(number * 10 + left.length - 1);
        if (actions.some((action) => 'outage' in action)) {
          if (Date.now() < nextOutage) continue;
          nextOutage = Date.now() + BETWEEN_OUTAGES;
        }
        left.shift();
        told.push({ id, name: due.name });
        log(`${id.slice(-4)} ${agent}: ${due.name}`);
        for (const action of actions) await carryOut(action);
        isDeleted = due.name.startsWith('deleted');
        if (isDeleted) break;
      }
      if (!isDeleted && ends === 'answer' && (task % TASKS_OF_A_TURN === 0 || time.elapsed >= seconds * 1000)) {
        await write(writer.answer(answer));
        if (time.elapsed < seconds * 1000) await between(PERSON);
      }
    }
    process?.kill('SIGKILL');
    return isDeleted;
  }
}

/** A process that stands for the agent's own, and Claude Code's note of it. */
function startProcess(/** @type {string} */ home, /** @type {string} */ workspace, /** @type {string} */ session) {
  const child = spawn('sleep', ['36000'], { stdio: 'ignore' });
  const stat = fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const file = join(home, '.claude/sessions', `${child.pid}.json`);
  fs.mkdirSync(dirname(file), { recursive: true });
  const note = {
    pid: child.pid,
    sessionId: session,
    cwd: workspace,
    startedAt: Date.now(),
    procStart,
    kind: 'interactive',
    entrypoint: 'cli',
  };
  fs.writeFileSync(file, JSON.stringify(note));
  return child;
}
