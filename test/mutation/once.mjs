import { TestRunner } from 'vitest';

/** A change may make a test wait forever; milliseconds beyond the normal duration of the test. */
const PATIENCE = 3_000;
const LATE = new Error('The test did not end.');

// A test may replace these with its own clock and timers.
const { setTimeout, clearTimeout } = globalThis;
const clock = performance.now.bind(performance);
const { getTestFn, getSuiteHooks } = TestRunner;

/** The clock is read only once in this many checks of the time: reading it is expensive. */
const SELDOM = 1_000;

/** The work of the process so far, milliseconds: on a busy machine much less than the time that has passed. */
export function worked() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** @returns whether a test that has run before passes */
export function passes({ test, took }) {
  return limited(once(test), took).then(Boolean, () => false);
}

/**
 * @param state read by the instrumented code
 * @returns how the test notices the current change: `killed` or `timeout`; null if it does not
 */
export function noticedBy({ test, took }, state) {
  const end = clock() + timeFor(took);
  let asked = 0;
  state.isLate = () => {
    asked += 1;
    if (asked % SELDOM === 0 && clock() > end) throw LATE;
  };
  return limited(once(test), took)
    .finally(() => (state.isLate = undefined))
    .then(
      () => null,
      (error) => (error === LATE || /hit count limit/i.test(String(error?.message)) ? 'timeout' : 'killed'),
    );
}

/** Runs the test with its hooks, as vitest does, although its file has ended. */
async function once(test) {
  const suites = [];
  for (let suite = test.suite; suite; suite = suite.suite) suites.unshift(suite);
  if (suites[0] !== test.file) suites.unshift(test.file);
  // What a file sets up for all of its tests was torn down at its end.
  const forAll = suites.filter((suite) => getSuiteHooks(suite).beforeAll.length > 0);
  const endings = [];
  // Actions registered for its end: databases are closed then, of which only so many fit into memory. Registered through its context, or on the
  // running test.
  const asked = new Map([test, TestRunner.getCurrentTest()].map((one) => [one, one.onFinished?.length ?? 0]));
  const begin = async (hooks, context, suite) => {
    for (const hook of hooks) {
      const ending = await hook(context, suite);
      if (typeof ending === 'function') endings.unshift(ending);
    }
  };
  try {
    for (const suite of forAll) await begin(getSuiteHooks(suite).beforeAll, suite);
    for (const suite of suites) await begin(getSuiteHooks(suite).beforeEach, test.context, suite);
    await getTestFn(test)();
    return true;
  } finally {
    for (const [one, count] of asked)
      for (const ending of (one.onFinished ?? []).splice(count).toReversed()) await ending(one.context);
    for (const suite of suites.toReversed())
      for (const hook of getSuiteHooks(suite).afterEach.toReversed()) await hook(test.context, suite);
    for (const ending of endings) await ending();
    for (const suite of forAll.toReversed())
      for (const hook of getSuiteHooks(suite).afterAll.toReversed()) await hook(suite);
  }
}

function limited(run, took) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(LATE), timeFor(took));
  });
  return Promise.race([run, late]).finally(() => clearTimeout(timer));
}

const timeFor = (took) => took * 5 + PATIENCE;
