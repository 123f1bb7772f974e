/**
 * Incidents as they occur over three months of much work, the same in each run: tasks, calls, paths, errors and outcomes like real ones, with
 * numbers, hashes and names that seldom recur.
 */

const DAY = 86_400_000;
const AGENTS = [
  ['claude-code', 'Claude Code', 'claude-sonnet-4-5'],
  ['codex', 'Codex', 'gpt-5-codex'],
  ['gemini-cli', 'Gemini CLI', 'gemini-2.5-pro'],
  ['opencode', 'OpenCode', 'qwen3-coder'],
  ['copilot-cli', 'Copilot CLI', 'gpt-5'],
];
const DETECTORS = [
  ['repeating_action', null, 'repetition_loop'],
  ['repeating_action', null, 'repetition_loop'],
  ['consecutive_failures', null, 'consecutive_failures'],
  ['cycle', null, 'cycle_loop'],
  ['stall', null, 'stall'],
  ['repeating_outcome', null, 'repetition_loop'],
];
const VERBS = ['Fix', 'Add', 'Refactor', 'Migrate', 'Review', 'Document', 'Upgrade', 'Speed up', 'Test', 'Remove'];
const THINGS =
  'calculator parser invoice login session cache router scheduler payment search import export webhook queue migration layout theme chart upload thumbnail translation permission report retry token socket worker database index pagination'.split(
    ' ',
  );
const PARTS = 'core api web shared server client utils models views tests scripts docs infra mobile billing auth'.split(
  ' ',
);
const ERRORS = [
  (/** @type {Word} */ w) =>
    `FAILED tests/test_${w.thing()}.py::test_${w.thing()}_${w.number(90)} - AssertionError: assert ${w.number(900)} == ${w.number(900)}`,
  (/** @type {Word} */ w) =>
    `src/${w.part()}/${w.thing()}.ts(${w.number(400)},${w.number(80)}): error TS2345: Argument of type '${w.name()}' is not assignable to parameter of type '${w.name()}'.`,
  (/** @type {Word} */ w) => `ModuleNotFoundError: No module named '${w.thing()}_${w.part()}'`,
  (/** @type {Word} */ w) =>
    `npm error code ERESOLVE while resolving ${w.thing()}-${w.part()}@${w.number(20)}.${w.number(20)}.${w.number(20)}`,
  (/** @type {Word} */ w) =>
    `fatal: unable to access 'https://git.example.org/${w.part()}/${w.thing()}.git/': Could not resolve host`,
  (/** @type {Word} */ w) => `Error: String to replace not found in file.\nString: const ${w.name()} = ${w.hash()};`,
  (/** @type {Word} */ w) =>
    `thread 'main' panicked at src/${w.thing()}.rs:${w.number(900)}: called Result::unwrap() on an Err value: ${w.name()}`,
  (/** @type {Word} */ w) =>
    `connect ECONNREFUSED 127.0.0.1:${w.number(60000)} while asking ${w.part()} for ${w.hash()}`,
];
const CALLS = [
  (/** @type {Word} */ w) => `pytest -q tests/test_${w.thing()}.py`,
  (/** @type {Word} */ w) => `npm run test -- ${w.part()}/${w.thing()}.test.ts`,
  (/** @type {Word} */ w) => `Edit src/${w.part()}/${w.thing()}.ts`,
  (/** @type {Word} */ w) => `cargo build -p ${w.thing()}`,
  (/** @type {Word} */ w) => `git push origin feature/${w.thing()}-${w.hash()}`,
  (/** @type {Word} */ w) => `Read src/${w.part()}/${w.thing()}/${w.name()}.py`,
];

/** @typedef {ReturnType<typeof wordsFrom>} Word */

/** The numbers 0 to 1 of mulberry32: small, and the same everywhere. */
function randomFrom(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function wordsFrom(/** @type {() => number} */ random) {
  const number = (/** @type {number} */ below) => Math.floor(random() * below);
  const of = (/** @type {readonly any[]} */ list) => list[number(list.length)];
  const capital = (/** @type {string} */ word) => word[0]?.toUpperCase() + word.slice(1);
  return {
    number,
    of,
    thing: () => of(THINGS),
    part: () => of(PARTS),
    name: () => `${of(THINGS)}${capital(of(PARTS))}${number(40)}`,
    hash: () => Math.floor(random() * 0xfffffff).toString(16),
  };
}

/**
 * Incidents, the sessions they were in (twice as many), and learnings and feedback for some of them.
 *
 * @param {number} count
 * @param {number} now milliseconds since the epoch; they lie in the 85 days before
 */
export function manyIncidents(count, now, seed = 7) {
  const random = randomFrom(seed);
  const word = wordsFrom(random);
  const incidents = [];
  const sessions = new Map();
  for (let n = 0; n < count * 2; n++) {
    const [agent, , model] = word.of(AGENTS);
    const session = `${word.hash()}${word.hash()}-${n}`;
    const firstAt = now - Math.floor((85 * DAY * (count * 2 - n)) / (count * 2));
    const folder = `/home/me/projects/${word.thing()}-${word.part()}`;
    const lastAt = firstAt + word.number(7_200_000);
    sessions.set(n, { agent, session, model, folder, firstAt, lastAt, steps: 20 + word.number(400) });
  }
  for (let n = 0; n < count; n++) incidents.push(incidentAt(n, sessions.get(n * 2 - (n % 2) * 2), word, now));
  return { incidents, sessions: [...sessions.values()] };
}

function incidentAt(
  /** @type {number} */ n,
  /** @type {any} */ { agent, session, model, folder, firstAt },
  /** @type {Word} */ word,
  /** @type {number} */ now,
) {
  const agentName = AGENTS.find(([id]) => id === agent)?.[1];
  const [detector, rule, reason] = word.of(DETECTORS);
  const call = word.of(CALLS)(word);
  const error = word.of(ERRORS)(word);
  const file = `/home/me/.agents/${folder.replaceAll('/', '-')}/${session}.jsonl`;
  const isOpen = n % 500 === 499;
  const isStuck = word.number(3) > 0;
  const openedAt = firstAt + 60_000 + word.number(900_000);
  const resolvedAt = Math.min(now, openedAt + 30_000 + word.number(1_800_000));
  const ending = word.of(['nudge', 'nudge', 'restart', 'by_itself', 'user', 'ended']);
  const repeats = 3 + word.number(6);
  const evidence = Array.from({ length: repeats * 2 }, (_, step) => ({
    source: { file, line: 20 + step, offset: step * 900 },
    at: firstAt + step * 4_000,
    step,
    role: step === 0 ? 'first' : step % 2 === 0 ? 'repeat' : 'between',
    subject: step % 2 === 0 ? call : word.of(CALLS)(word),
    text:
      step % 2 === 0 ? error : `${word.of(['ok', 'done', 'The file was updated'])}: ${word.name()} in ${word.part()}`,
  }));
  const attempts = ['nudge', 'restart'].includes(ending)
    ? [
        {
          attempt: 1,
          kind: ending,
          message: `m${n}`,
          at: openedAt + 5_000,
          automated: true,
          state: 'taken',
          takenAt: openedAt + 9_000,
          rung: ending,
          outcome: 'changed',
        },
      ]
    : [];
  return {
    id: `01JD${String(n).padStart(22, '0')}`,
    key: `${detector}:${n}`,
    agent,
    agentName,
    session,
    title: `${word.of(VERBS)} the ${word.thing()} of the ${word.part()} ${word.thing()}`,
    model,
    folder,
    file,
    detector,
    rule,
    reason,
    exhaustion: null,
    certainty: 'counted',
    level: isStuck ? 'stuck' : 'warn',
    confidence: 0.9,
    state: isOpen ? 'open' : ending === 'ended' ? 'ended' : 'recovered',
    count: repeats,
    firstAt,
    openedAt,
    stuckAt: isStuck ? openedAt : null,
    resolvedAt: isOpen ? null : resolvedAt,
    updatedAt: isOpen ? openedAt : resolvedAt,
    firstLine: 20,
    alertLine: 26,
    stuckLine: isStuck ? 26 : null,
    resolvedLine: isOpen ? null : 40,
    subject: call,
    why: `\`${call}\` gave the same result ${repeats} times, with edits between.`,
    suggestion: 'Read the error before the next try, and change the approach.',
    clears: ['a different result', 'a message from you'],
    tokensSinceFirst: word.number(80_000),
    evidence,
    cleared: isOpen ? null : 'different_result',
    outcome: isOpen || ending === 'ended' ? null : ending,
    attempts,
    notified: true,
    history: false,
    reopened: 0,
  };
}
