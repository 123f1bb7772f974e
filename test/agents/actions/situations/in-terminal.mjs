// What is shown for an agent in a terminal whose service fails, for good or for a while, and for one that is killed.
import { setTimeout as pause } from 'node:timers/promises';
import { after, Surface } from '../../support/surface.mjs';
import { until } from '../../support/wait.mjs';

const TASK = 'Look around in this shop.';
/** Milliseconds without a request after which the agent has given up on the service: agents wait longer than that between two tries. */
const QUIET = 45_000;
const HOUR = 3_600_000;

export const failing = (stage) => gaveUp(stage, { kind: 'overloaded' }, isError);
export const loggedOut = (stage) => gaveUp(stage, { kind: 'login' }, isError);

/** Checks that the end of the limit is shown, within the minute that the agent's own words name, if they name one. */
export function limited(stage) {
  const opensAt = Math.floor(Date.now() / 60_000) * 60_000 + 2 * HOUR;
  const isRight = (until) => Math.abs(Date.parse(until) - opensAt) <= 60_000;
  const hidesUntil = stage.agent.interactive.hidesUntil === true;
  const isLimit = ({ until, ...record }) =>
    record.for === 'limit' && (hidesUntil ? until === undefined : isRight(until));
  return gaveUp(stage, { kind: 'limit', opensAt }, isLimit);
}

/** The service refuses twice, then answers. */
export async function retrying(stage) {
  const { agent, model } = stage;
  const surface = new Surface(stage);
  const terminal = await stage.open();
  let asked = 0;
  model.play(() => {
    asked += 1;
    if (asked === 2 || asked === 3) return { refusal: { kind: 'overloaded' } };
    return asked === 1 ? { calls: [agent.shell('git status --short')] } : { text: 'I looked around.' };
  });
  await terminal.prompt(TASK);
  const answered = await until('its answer after two refusals', () => model.main()[3]);
  const { at, record } = await surface.first('the end of its turn', isTurnEnd, answered.at);
  const between = surface.states.filter((state) => state.at < answered.at && state.record.state !== 'working');
  const wrong = between.filter(({ record: { state } }) => state !== 'waiting').concat(between.filter(isFailed));
  if (wrong.length > 0) throw new Error(`while it tried again it was told as ${surface.tell()}`);
  return `"${await surface.words(record)}" ${after(answered.at, at)} after the answer; told: ${surface.tell()}`;
}

/** Killed in the middle of a call, as when the system runs out of memory. */
export async function killed(stage) {
  const { agent, model, sandbox } = stage;
  const surface = new Surface(stage);
  const terminal = await stage.open();
  model.play(() => ({ calls: [agent.shell("node -e 'setTimeout(() => {}, 600_000)' in-the-middle")] }));
  await terminal.prompt(TASK);
  await until('the call at work', () => sandbox.programs().some((line) => line.includes('in-the-middle')));
  await surface.first('it at work', ({ state }) => state === 'working');
  await pause(1_000);
  const happened = sandbox.kill();
  const { at, record } = await surface.first('its death', ({ ended }) => ended === 'died', happened);
  return `"${await surface.words(record)}" ${after(happened, at)} after kill -9`;
}

const isError = ({ state, ended, error, ...record }) =>
  state === 'waiting' && record.for === 'error' && ended === 'error' && Boolean(error);
const isTurnEnd = ({ state, ...record }) => state === 'waiting' && record.for === 'turn_end';
const isFailed = ({ record: { ended, ...record } }) => record.for === 'error' || ended === 'error';

async function gaveUp(stage, refusal, isSaid) {
  const { model } = stage;
  const surface = new Surface(stage);
  const terminal = await stage.open({ onPlan: refusal.kind === 'limit' });
  model.play(() => ({ refusal }));
  await terminal.prompt(TASK);
  await until('a refusal', () => model.main()[0]?.refusedAt);
  const { at, record } = await surface.first(`a ${refusal.kind} that ended its turn`, isSaid);
  const last = await until('the last try', () => {
    const { refusedAt } = model.main().at(-1);
    return refusedAt !== undefined && Date.now() - refusedAt > QUIET ? refusedAt : undefined;
  });
  const again = surface.states.at(-1);
  if (!isSaid(again.record)) throw new Error(`later it was told as ${surface.tell()}`);
  return `"${await surface.words(record)}" ${after(last, at)} after the last of ${model.main().length} tries; told: ${surface.tell()}`;
}
