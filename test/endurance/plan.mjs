/**
 * Plans which sessions there are, when each begins and ends, and what goes wrong in it: all known before the run, so that the alerts can be compared
 * with it. Of the 20 that are always live, five last for the whole run; in the places of the others one session follows the next.
 */
import { createRandom } from './random.mjs';
import { SILENCE, TROUBLES } from './trouble.mjs';

/** Transcripts that exist at any time, and how many of them are being written. */
export const SESSIONS = 200;
export const LIVE = 20;
const LASTING = 5;
/** Numbers of old sessions: those older than a day, which is the age rule, and those that got stuck before the window opened. */
const AGED = 20;
const STUCK_BEFORE = 12;
/** Length of a session in a run of 60 minutes, in seconds; shorter runs have shorter sessions. */
const SHORTEST = 240;
const LONGEST = 540;
const LEAST = 45;
/** A silence lasts longer than the patience for the model, which is ten minutes by default. */
const MINUTES_WITH_SILENCE = 40;

/**
 * @typedef {object} Planned
 * @property {string} id of the session
 * @property {string} agent
 * @property {number} seed
 * @property {number} number its own among all sessions: determines what it works on
 * @property {{ name: string, trouble: import('./trouble.mjs').Trouble, after: number }[]} troubles `after`: seconds since it began
 * @property {'answer' | 'killed'} ends `killed`: its process dies in the middle of its turn
 * @property {number} seconds how long it lasts
 */
/** @typedef {{ id: string, agent: string, seed: number, number: number, ageMinutes: number, isStuck: boolean }} Old */

/**
 * @param {{ minutes: number, seed: number }} options
 * @returns {{ old: Old[], slots: Planned[][] }} `slots`: for each live place its sessions, one after the other
 */
export function planOf({ minutes, seed }) {
  const random = createRandom(seed);
  const seconds = minutes * 60;
  let made = 0;
  const next = () => ({ id: idOf(++made), number: made, seed: seed * 10_000 + made });
  const old = Array.from({ length: SESSIONS - LIVE }, (_, index) => {
    const hours = index < AGED ? 30 + random() * 40 : 2 + random() * 18;
    return {
      ...next(),
      agent: index % 12 === 0 ? 'codex' : index % 20 === 1 ? 'gemini' : 'claude-code',
      ageMinutes: hours * 60,
      isStuck: index >= AGED && index < AGED + STUCK_BEFORE,
    };
  }).sort((one, other) => other.ageMinutes - one.ageMinutes);

  let turn = 0;
  const names = Object.keys(TROUBLES);
  /** Takes the troubles in turn, so that each comes as often as the others, with a healthy session between two of them. */
  const nextTrouble = (/** @type {string} */ agent) => {
    if (turn++ % 3 === 2) return [];
    for (let tries = 0; tries < names.length; tries++) {
      const name = names[(turn - 1 - Math.floor(turn / 3) + tries) % names.length] ?? '';
      const trouble = TROUBLES[name];
      if (trouble && (!trouble.agents || trouble.agents.includes(agent))) return [{ name, trouble }];
    }
    return [];
  };
  const slots = Array.from({ length: LIVE }, (_, slot) => {
    const agent = slot >= LIVE - 1 ? 'gemini' : slot >= LIVE - 3 ? 'codex' : 'claude-code';
    /** @type {Planned[]} */
    const sessions = [];
    if (slot < LASTING) {
      sessions.push({ ...next(), agent, seconds, ends: 'answer', troubles: troublesOfLasting(slot, minutes) });
      return sessions;
    }
    for (let at = 0; at < seconds; ) {
      const length = Math.max(LEAST, ((SHORTEST + random() * (LONGEST - SHORTEST)) * minutes) / 60);
      // The remainder would be too short for a separate session.
      const takes = seconds - at - length < LEAST ? seconds - at : length;
      const chosen = nextTrouble(agent).map((one) => ({ ...one, after: takes * (0.3 + random() * 0.3) }));
      const ends = agent === 'claude-code' && random() < 0.3 ? 'killed' : 'answer';
      sessions.push({ ...next(), agent, seconds: takes, ends, troubles: chosen });
      at += takes;
    }
    return sessions;
  });
  return { old, slots };

  /** One trouble every eight minutes, each a different one and far apart; none that ends the transcript. */
  function troublesOfLasting(/** @type {number} */ slot, /** @type {number} */ length) {
    const goOn = names.filter((name) => !/deleted|truncated|rotated/.test(name));
    const count = Math.max(1, Math.floor(length / 8));
    const list = Array.from({ length: count }, (_, index) => {
      const name = goOn[(slot * 3 + index) % goOn.length] ?? '';
      return { name, trouble: TROUBLES[name], after: ((index + 0.3 + random() * 0.3) * length * 60) / count };
    });
    if (slot === 0 && length >= MINUTES_WITH_SILENCE)
      list.splice(Math.floor(count / 2), 1, { name: 'silence', trouble: SILENCE, after: length * 60 * 0.6 });
    return list;
  }
}

/**
 * The alerts that must appear: `session rule`, each once per time it is planned, in alphabetical order.
 *
 * @param {ReturnType<typeof planOf>} plan
 * @param {{ id: string, name: string }[]} told what really went wrong: a session may end before its trouble
 */
export function alertsOf(plan, told) {
  const rules = new Map(
    [...Object.entries(TROUBLES), /** @type {const} */ (['silence', SILENCE])].map(([name, one]) => [name, one.rules]),
  );
  return [
    ...plan.old.filter((one) => one.isStuck).map(({ id }) => `${id} repeating_action`),
    ...told.flatMap(({ id, name }) => (rules.get(name) ?? []).map((rule) => `${id} ${rule}`)),
  ].sort();
}

const idOf = (/** @type {number} */ number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
