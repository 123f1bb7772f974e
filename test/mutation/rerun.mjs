import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { inject, TestRunner } from 'vitest';

/**
 * Runs each test, and at once again with each change of the code that it covers. Changes are switches in the instrumented code, so a run costs
 * what the test costs: milliseconds, where a run of its own costs the start of a thread and the loading of all modules. What is found goes out
 * with the test (`runner.mjs` takes it). A change that shows only while a module loads needs a run of its own.
 */

/** A test that takes longer is left to runs of its own, milliseconds. Long, because the machine may be busy. */
const SLOW = Number(process.env.UNSTUCK_MUTATE_SLOW ?? 15_000);
/** A change may make a test wait for ever; milliseconds beyond what the test takes. */
const PATIENCE = 3_000;
/** The same for a loop without end: how often the change may be passed, in terms of the test as it is. */
const LOOPS = 100;
/** How long a property is tried, milliseconds: thousands of examples, once for each change, would take days. */
const PROPERTY = 40;

// Where an example fails, the smallest that does is of no interest.
fc.configureGlobal({ interruptAfterTimeLimit: PROPERTY, endOnFailure: true });

// A test may put its own clock and timers in the place of these.
const clock = performance.now.bind(performance);
const { setTimeout, clearTimeout } = globalThis;
const { getTestFn, getSuiteHooks } = TestRunner;

/** Changes that a test noticed already, of all files of a run: they share one thread. */
const caught = new Set();

export default class Rerun extends TestRunner {
  async runTask(test) {
    const began = clock();
    await getTestFn(test)();
    const took = clock() - began;
    if (inject('mode') !== 'dry-run') return;
    const state = globalThis[inject('globalNamespace')];
    const id = state.currentTestId;
    const covered = { ...state.mutantCoverage?.perTest[id] };
    test.meta.changes = { test: id, took, ...(await tryChanges(test, took, state, covered)) };
    state.currentTestId = id;
    if (state.mutantCoverage) state.mutantCoverage.perTest[id] = covered;
  }

  async onAfterRunSuite(suite) {
    await super.onAfterRunSuite(suite);
    // In the copy that Stryker works on: a first run may take an hour and says nothing.
    if (suite.filepath && inject('mode') === 'dry-run')
      appendFileSync('rerun.log', `${caught.size} noticed: ${suite.name}\n`);
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test);
    // The runs with changes are not what the test takes: limits of time are derived from it.
    if (test.result && test.meta.changes) test.result.duration = test.meta.changes.took;
  }
}

/**
 * @returns which changes the test noticed, and how: `killed` or `timeout`. `all`: it did not notice the others that it covers, unless another
 * test had noticed them before; false where it cannot be run again, so that nothing is known of the others.
 */
async function tryChanges(test, took, state, covered) {
  const noticed = {};
  const passes = () => limited(once(test), took * 5 + PATIENCE).then(Boolean, () => false);
  const left = Object.keys(covered).filter((change) => !caught.has(change));
  if (left.length === 0) return { noticed, all: true };
  if (took > SLOW || !(await passes())) return { noticed, all: false };
  for (const change of left) {
    state.hitCount = 0;
    state.hitLimit = covered[change] * LOOPS + 1_000;
    state.activeMutant = change;
    const how = await limited(once(test), took * 5 + PATIENCE).then(
      () => null,
      (error) => (error === LATE || /hit count limit/i.test(String(error?.message)) ? 'timeout' : 'killed'),
    );
    state.activeMutant = undefined;
    state.hitLimit = undefined;
    if (!how) continue;
    // What the change left behind must not count as noticed, now or in what runs next.
    if (!(await passes())) return { noticed, all: false };
    noticed[change] = how;
    caught.add(change);
  }
  return { noticed, all: true };
}

const LATE = new Error('The test did not end.');

/** The test with its hooks, as vitest runs it. */
async function once(test) {
  const suites = [];
  for (let suite = test.suite; suite; suite = suite.suite) suites.unshift(suite);
  if (suites[0] !== test.file) suites.unshift(test.file);
  const endings = [];
  // What the test asks for at its end: databases are closed then, of which only so many fit into memory.
  const asked = test.onFinished?.length ?? 0;
  try {
    for (const suite of suites) {
      for (const hook of getSuiteHooks(suite).beforeEach) {
        const ending = await hook(test.context, suite);
        if (typeof ending === 'function') endings.unshift(ending);
      }
    }
    await getTestFn(test)();
    return true;
  } finally {
    for (const ending of (test.onFinished ?? []).splice(asked).toReversed()) await ending(test.context);
    for (const suite of suites.reverse()) {
      for (const hook of getSuiteHooks(suite).afterEach.toReversed()) await hook(test.context, suite);
    }
    for (const ending of endings) await ending();
  }
}

function limited(run, milliseconds) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(LATE), milliseconds);
  });
  return Promise.race([run, late]).finally(() => clearTimeout(timer));
}
