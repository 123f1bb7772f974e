/** Compares what the surfaces said with the table of what is true, and with each other. Pure. */
import { TRUTH, truthAt } from './truth.mjs';
import { ageIn, roundsIn, stateOf, statesIn, untilIn } from './words.mjs';

/** @typedef {import('./reading.mjs').Reading} Reading */
/** @typedef {import('./surfaces.mjs').Saying} Saying */
/** @typedef {{ minute: number, kind: 'false' | 'contradiction', surface: string, task: string, said: string, why: string }} Fault */

const NEEDS_YOU = ['permission', 'question', 'plan', 'limit_open', 'error', 'died'];
/** The states that may appear in a group of the tree. @type {Record<string, string[]>} */
const GROUPS = {
  'Needs you': NEEDS_YOU,
  Stuck: ['stuck'],
  Working: ['working', 'limit'],
  'Your turn': ['turn_end'],
  Finished: [],
};
const AGENTS = Object.entries(TRUTH);
const MINUTE = 60_000;

/** The states that an agent may be reported in. In its first seconds it has no prompt yet. */
function statesAt(/** @type {string} */ name, /** @type {number} */ minute) {
  /** @type {string[]} */
  const states = minute < 1 ? ['turn_end'] : [truthAt(name, minute).is].flat();
  return states;
}

/** @returns {Fault[]} */
export function judge(/** @type {Reading[]} */ readings) {
  return readings.flatMap((reading, index) => [
    ...reading.sayings.flatMap((saying) => judgeSaying(saying, reading)),
    ...contradictions(reading),
    ...reading.status.flatMap(({ where, text }) => judgeStatus(`${where} status bar`, text, reading.minute)),
    ...reading.toasts.flatMap(({ where, text }) => judgeNews(`${where} toast`, text, reading.minute)),
    ...newVoices(reading, readings[index - 1]).flatMap(({ surface, text }) => judgeNews(surface, text, reading.minute)),
    ...judgeRecords(reading),
  ]);
}

/** True if a surface shows the current state of an agent. The whole of a panel is for people to look at, and a live region says what is new. */
const isOfNow = (/** @type {Saying} */ { surface, task }) =>
  task !== '' && surface !== 'panel' && !surface.includes('live region');

/** @returns {Fault[]} */
function judgeSaying(/** @type {Saying} */ saying, /** @type {Reading} */ { minute, at }) {
  const { surface, task, text, group } = saying;
  const name = AGENTS.find(([, one]) => one.task === task)?.[0];
  if (name === undefined || !isOfNow(saying)) return [];
  const truth = truthAt(name, minute);
  const states = statesAt(name, minute);
  const whys = [];
  if (text === '') whys.push('it says nothing');
  if (group !== undefined && !states.some((state) => GROUPS[group]?.includes(state)))
    whys.push(`it stands in ${group}, and is ${states.join(' or ')}`);
  const said = statesIn(text);
  if (said.length > 0 && !said.some((state) => states.includes(state)))
    whys.push(`it says ${said.join(' or ')}, and is ${states.join(' or ')}`);
  const age = ageIn(text);
  const isTimed = states.length === 1 && states[0] !== 'working' && truth.since !== undefined;
  const ages = [truth.latest ?? truth.since ?? 0, truth.since ?? 0].map((since) => Math.floor(minute - since / 60));
  if (age !== null && isTimed && (age < (ages[0] ?? 0) || age > (ages[1] ?? 0)))
    whys.push(`it says ${age} min, and it is ${ages.join(' to ')}`);
  const rounds = roundsIn(text);
  const counted = TRUTH[name]?.rounds?.[minute];
  if (rounds !== null && states[0] === 'stuck' && rounds !== counted)
    whys.push(`it says ${rounds} times, and it is ${counted}`);
  const until = states.length === 1 && states[0]?.startsWith('limit') ? untilIn(text) : null;
  const opens =
    truth.until === undefined
      ? undefined
      : new Date(at - minute * MINUTE + truth.until * 1000).toISOString().slice(11, 16);
  if (until !== null && surface !== 'tooltip' && until !== opens) whys.push(`it says ${until}, and it is ${opens}`);
  const tellsWhat = /spoken|below|tooltip|lead/.test(surface) && states.length === 1;
  if (tellsWhat && ['permission', 'question', 'error'].includes(states[0] ?? '') && !text.includes(truth.wants ?? ''))
    whys.push(`it does not say “${truth.wants}”`);
  return whys.map((why) => ({ minute, kind: 'false', surface, task, said: text, why }));
}

/** Finds two surfaces that cannot both be right about one agent: about its state, or about its age. @returns {Fault[]} */
function contradictions(/** @type {Reading} */ { minute, sayings }) {
  return AGENTS.flatMap(([, { task }]) => {
    const own = sayings
      .filter((saying) => saying.task === task && isOfNow(saying))
      .map((saying) => ({ ...saying, states: statesIn(saying.text), age: ageIn(saying.text) }));
    const [first, ...others] = own.filter(({ states }) => states.length > 0);
    const denies = others.find(({ states }) => !states.some((state) => first?.states.includes(state)));
    const timed = own.filter(
      ({ age, states }) => age !== null && !states.includes('working') && !first?.states.includes('working'),
    );
    const differs = timed.find(({ age }) => age !== timed[0]?.age);
    return [
      [first, denies],
      [timed[0], differs],
    ].flatMap(([one, other]) =>
      one && other
        ? [
            {
              minute,
              kind: /** @type {const} */ ('contradiction'),
              surface: `${one.surface}, ${other.surface}`,
              task,
              said: `${one.text} / ${other.text}`,
              why: '',
            },
          ]
        : [],
    );
  });
}

/** Checks the counts, and in the tooltip the line for each agent. @returns {Fault[]} */
function judgeStatus(/** @type {string} */ surface, /** @type {string} */ text, /** @type {number} */ minute) {
  /** @type {string[]} */
  const whys = [];
  const between = (/** @type {string[]} */ wanted) => {
    const each = AGENTS.map(([name]) => statesAt(name, minute));
    const sure = each.filter((states) => states.every((state) => wanted.includes(state))).length;
    return [sure, each.filter((states) => states.some((state) => wanted.includes(state))).length];
  };
  const says = (/** @type {RegExp} */ count, /** @type {string[]} */ wanted) => {
    const said = Number(count.exec(text)?.[1] ?? 0);
    const [least = 0, most = 0] = between(wanted);
    if (said < least || said > most) whys.push(`${said} ${wanted.join(', ')}: it is ${least} to ${most}`);
  };
  says(/(\d+) (?:agents? )?needs? you/, NEEDS_YOU);
  says(/(\d+) (?:agents? (?:is|are) )?stuck/, ['stuck']);
  if (/all with new results/.test(text) && (between(['working'])[1] ?? 0) < AGENTS.length)
    whys.push('not all have new results');
  for (const [name, { task }] of AGENTS) {
    const line = AGENTS.reduce(
      (rest, [, other]) => rest.split(`${other.task}: `)[0] ?? '',
      text.split(`${task}: `)[1] ?? '',
    );
    const said = statesIn(line);
    if (said.length > 0 && !said.some((state) => statesAt(name, minute).includes(state)))
      whys.push(`“${task}” is ${statesAt(name, minute).join(' or ')}, not ${said.join(' or ')}`);
  }
  return whys.map((why) => ({ minute, kind: 'false', surface, task: '', said: text, why }));
}

/** A one-time message must be true for the minute in which it came. @returns {Fault[]} */
function judgeNews(/** @type {string} */ surface, /** @type {string} */ text, /** @type {number} */ minute) {
  return AGENTS.flatMap(([name, { task }]) => {
    if (!text.includes(task)) return [];
    const states = [minute - 1, minute].flatMap((one) => statesAt(name, one));
    const said = statesIn(text);
    const isRight = said.length === 0 || said.some((state) => states.includes(state));
    return isRight
      ? []
      : [{ minute, kind: 'false', surface, task, said: text, why: `it is ${[...new Set(states)].join(' or ')}` }];
  });
}

/** Returns what live regions say now, and did not say a minute before. */
function newVoices(/** @type {Reading} */ { sayings }, /** @type {Reading | undefined} */ before) {
  const heard = new Set(before?.sayings.map(({ text }) => text));
  return sayings.filter(({ surface, text }) => surface.includes('live region') && !heard.has(text));
}

/** `unstuck scan` reads transcripts only, and marks what it guesses from silence: that is no claim. @returns {Fault[]} */
function judgeRecords(/** @type {Reading} */ { minute, at, scan, watch, api, machines }) {
  const look = (
    /** @type {string} */ surface,
    /** @type {string | undefined} */ name,
    /** @type {string} */ said,
    /** @type {number[]} */ minutes,
  ) => {
    if (name === undefined) return [];
    const states = minutes.flatMap((one) => statesAt(name, one));
    const task = TRUTH[name]?.task ?? '';
    return states.includes(said)
      ? []
      : [{ minute, kind: /** @type {const} */ ('false'), surface, task, said, why: `it is ${states.join(' or ')}` }];
  };
  return [
    ...scan
      .filter(({ kind, probable }) => kind === 'file' && !probable)
      .flatMap((one) => look('unstuck scan', one.name, stateOf(one, at), [minute])),
    ...watch
      .filter(({ kind }) => kind === 'state')
      .flatMap((one) => look('unstuck watch', one.name, stateOf(one, Date.parse(one.t)), [minute - 1, minute])),
    ...machines.flatMap((one) => look('another machine', one.name, stateOf(one, at), [minute])),
    ...Object.entries(api).flatMap(([name, { stuck }]) => {
      const states = statesAt(name, minute);
      const isRight = states.length > 1 || stuck === (states[0] === 'stuck');
      return isRight ? [] : look('API', name, stuck ? 'stuck' : 'not stuck', [minute]);
    }),
  ];
}
