import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { noticedBy, passes, worked } from './once.mjs';

/**
 * Tries each change with the tests that cover it, nearest and quickest first, until one notices it. A change that goes unnoticed would cost every
 * test that runs it, so the time for one is limited: a so-called survivor might be noticed with more time, but never the other way round. The score
 * is a lower bound.
 */

/** The cost that a change may have, milliseconds of work. The tests of the changed file itself have ten times as much. */
const BUDGET = Number(process.env.UNSTUCK_MUTATE_BUDGET ?? 2_000);
/** A test that takes longer is left to a separate run, milliseconds. Long, because the machine may be busy. */
const SLOW = 15_000;
/** An endless loop is noticed by how often the change is run, as a multiple of the unchanged test. */
const LOOPS = 100;
/** Interval of the progress reports, milliseconds. */
const TELL = 5_000;

const clock = performance.now.bind(performance);

/** Files in the copy of the project that Stryker works on: the findings and the progress. */
const FOUND = 'rerun.json';
const LOG = 'rerun.log';

export class Changes {
  #state;
  #loading;
  #tests;
  /** Number of times that each change is run while modules load, and in each test. */
  #atLoad;
  #inTests;
  /** The tests that reach a changed file. */
  #testsOfFile = new Map();

  constructor(state, tests, loading) {
    this.#state = state;
    this.#loading = loading;
    const coveredBy = ({ id }) => state.mutantCoverage.perTest[id] ?? {};
    this.#tests = tests.map((one) => ({ ...one, covered: coveredBy(one), noticed: new Map() }));
    this.#atLoad = state.mutantCoverage.static;
    this.#inTests = state.mutantCoverage.perTest;
    for (const one of this.#tests)
      for (const change of Object.keys(one.covered)) {
        const file = loading.fileOf(change);
        this.#testsOfFile.set(file, (this.#testsOfFile.get(file) ?? new Set()).add(one));
      }
  }

  /**
   * Records for each change how a test noticed it (`killed`, `timeout`), that it was tried in vain, or which tests of its own file are left to a
   * separate run because they cannot be run again.
   */
  async try() {
    const covering = new Map(Object.keys(this.#atLoad).map((change) => [change, []]));
    for (const one of this.#tests)
      for (const change of Object.keys(one.covered)) {
        const known = covering.get(change);
        if (known) known.push(one);
        else covering.set(change, [one]);
      }
    const noticed = {};
    const tried = {};
    let told = clock();
    for (const [change, tests] of inAnyOrder(covering)) {
      const found = await this.#tryOne(change, tests);
      if (found.how) noticed[change] = found;
      else if (found.tried) tried[change] = found.left;
      if (clock() - told < TELL) continue;
      told = clock();
      const done = Object.keys(noticed).length + Object.keys(tried).length;
      appendFileSync(LOG, `${done} of ${covering.size} tried, ${Object.keys(noticed).length} noticed\n`);
      writeFileSync(FOUND, JSON.stringify({ noticed, tried }));
    }
    for (const { id, again } of this.#tests) if (again === false) appendFileSync(LOG, `cannot be run again: ${id}\n`);
    // Runs with changes were counted too.
    Object.assign(this.#state.mutantCoverage, { static: this.#atLoad, perTest: this.#inTests });
    writeFileSync(FOUND, JSON.stringify({ noticed, tried }));
  }

  async #tryOne(change, covering) {
    const file = this.#loading.fileOf(change);
    // What a module computes while it loads affects any test that uses the module.
    const candidates = covering.length > 0 ? covering : [...(this.#testsOfFile.get(file) ?? [])];
    const canRunAgain = ({ took, again }) => took <= SLOW && again !== false;
    const tests = sorted(candidates.filter(canRunAgain), file);
    const left = candidates.filter((one) => !canRunAgain(one) && isOwn(one, file)).map(({ id }) => id);
    if (tests.length === 0) return {};
    const found = await this.#changed(change, tests, file);
    // A test that cannot be run again, or a leftover of the change, must not count as noticing it.
    if (!found || (await passes(found.one))) {
      if (found) found.one.noticed.set(file, (found.one.noticed.get(file) ?? 0) + 1);
      return { how: found?.how, test: found?.one.id, tried: true, left };
    }
    found.one.again = false;
    return this.#tryOne(change, covering);
  }

  /** Finds, with the change in place, the first test that notices it, and how. */
  async #changed(change, tests, file) {
    const state = this.#state;
    Object.assign(state.mutantCoverage, { static: {}, perTest: {} });
    Object.assign(state, { activeMutant: change, hitCount: 0, hitLimit: (this.#atLoad[change] ?? 0) * LOOPS + 1_000 });
    try {
      if (change in this.#atLoad && !(await this.#loads(change))) return { how: 'killed', one: tests[0] };
      return await this.#firstToNotice(change, tests, file);
    } finally {
      Object.assign(state, { activeMutant: undefined, hitLimit: undefined, currentTestId: undefined });
      this.#loading.restore();
    }
  }

  async #firstToNotice(change, tests, file) {
    let budget = BUDGET;
    for (const one of tests) {
      if (budget - one.cost < (isOwn(one, file) ? -9 * BUDGET : 0)) continue;
      const passed = (this.#atLoad[change] ?? 0) + (one.covered[change] ?? 0);
      Object.assign(this.#state, { hitCount: 0, hitLimit: passed * LOOPS + 1_000 });
      const before = worked();
      const how = await noticedBy(one, this.#state);
      budget -= worked() - before;
      if (how) return { how, one };
    }
    return null;
  }

  #loads(change) {
    return this.#loading.reload(change).then(
      () => true,
      () => false,
    );
  }
}

/** Changes of all files from the start, always in the same order: what has been noticed so far predicts what will be. */
function inAnyOrder(covering) {
  const place = ([change]) => Math.imul(Number(change) + 1, 0x9e37_79b1) >>> 0;
  return [...covering].toSorted((a, b) => place(a) - place(b));
}

/** The nearest and quickest first, preferring golden runs, which compare every word, and tests that noticed other changes of the file. */
function sorted(tests, file) {
  const folder = `${testOf(dirname(file ?? ''))}/`;
  const nearness = ({ id }) => (id.includes('/test/golden/') ? 0.1 : id.includes(folder) ? 0.3 : 1);
  const weight = (one) => (isOwn(one, file) ? 0.05 : nearness(one)) / (1 + (one.noticed.get(file) ?? 0));
  return tests
    .map((one) => [one, (one.cost + 0.1) * weight(one)])
    .toSorted((a, b) => a[1] - b[1])
    .map(([one]) => one);
}

/** True for a test of the file itself, or a golden run of the rule in that file. */
function isOwn({ id }, file) {
  if (file === undefined) return false;
  const own = testOf(file).replace(/\.ts$/, '');
  return id.includes(`${own}.test.ts#`) || id.includes(`/alerts.test.ts#${basename(own).replaceAll('-', '_')}`);
}

const testOf = (path) => path.replace(/^.*?\/src\//, '/test/unit/');
