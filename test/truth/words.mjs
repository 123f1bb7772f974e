/** Reads what a sentence of the product says about an agent: its state, since when, how often, until when. Pure. */
import { TRUTH } from './truth.mjs';

/** Words for a state, in any sentence. The first match counts. @type {[RegExp, string[]][]} */
const WORDS = [
  [/\b(no output|silent|silence|stalled|probably)\b/i, ['silent']],
  [/\b(?:your|a) permission\b|\bwants to\b/i, ['permission']],
  [/\basks\b(?! nothing)/i, ['question']],
  [/\bplan\b/i, ['plan']],
  [/\b(?:until|open again at) \d\d:\d\d/i, ['limit']],
  [/\b(open again|limit (?:is open|has ended|ended at))/i, ['limit_open']],
  [/\bstopped\b/i, ['error']],
  [/\bdied\b/i, ['died']],
  [/\b(your turn|turn ended|done for now)\b/i, ['turn_end']],
  [/\bstuck\b/i, ['stuck']],
  [/\bwaiting\b.*\bfor you\b/i, ['permission', 'question', 'plan']],
  [/\brecovering\b/i, ['recovering']],
  [/\bnot monitored\b/i, ['not monitored']],
  [/\bfinished\b/i, ['finished']],
  [/\b(working|making progress|thinking|running|with new results)\b/i, ['working']],
];

/** Words of the agents themselves, which may be any words. */
const NAMES = Object.values(TRUTH).flatMap(({ task, lines }) => [
  task,
  ...lines.flatMap(({ wants, busyWith }) => [wants ?? [], busyWith ?? []].flat()),
]);

/** Returns the states that a text can mean; empty if it names none. Earlier states do not count. */
export function statesIn(/** @type {string} */ text) {
  const said = NAMES.reduce((rest, name) => rest.replaceAll(name, '…'), text).replaceAll(/\b(it )?was stuck\b.*/gi, '');
  return WORDS.find(([words]) => words.test(said))?.[1] ?? [];
}

/** Returns for how many minutes the state has lasted, if a text says so. */
export function ageIn(/** @type {string} */ text) {
  const said =
    /(?:^|, | for |Waiting |Since [\d:]+, )(just now|\d+ min(?:utes?)?)\b/.exec(text) ??
    / (just now|\d+ min) ago/.exec(text);
  return said?.[1] === undefined ? null : said[1] === 'just now' ? 0 : Number.parseInt(said[1], 10);
}

/** Returns how often something was repeated, if a text says so. */
export function roundsIn(/** @type {string} */ text) {
  const [, ...found] = /same result (\d+) times|(?:ran|gave the same result) (\d+) times|×\s?(\d+)/.exec(text) ?? [];
  const said = found.find((one) => one !== undefined);
  return said === undefined ? null : Number(said);
}

/** Returns when a limit opens, as `15:20`, if a text says so. */
export const untilIn = (/** @type {string} */ text) => /\b(?:until|since|ended at) (\d\d:\d\d)/.exec(text)?.[1] ?? null;

/** The state of a record of the command line. @param {any} record @param {number} now milliseconds since the epoch */
export function stateOf({ state, for: waitsFor, ended, until }, now) {
  if (state === 'finished') return ended === 'died' ? 'died' : 'finished';
  if (state !== 'waiting') return state;
  if (waitsFor === 'limit') return until !== undefined && Date.parse(until) <= now ? 'limit_open' : 'limit';
  return waitsFor;
}
