import fc from 'fast-check';
import { inject, TestRunner } from 'vitest';
import { Loading } from './loading.mjs';
import { Changes } from './changes.mjs';
import { worked } from './once.mjs';

/**
 * Runs all tests once, and then for each change of the code those that cover it (`changes.mjs`). Changes are switches in the instrumented code and
 * all tests share one thread, so a run costs what the test costs: milliseconds, whereas a separate run costs the start of a thread and the loading of
 * all modules.
 */

/** Milliseconds for which a property is tried: thousands of examples for each change would take days. */
const PROPERTY = 40;

// If an example fails, neither the smallest failing one nor its description matters. On a busy machine the time can be over before the first example:
// that says nothing.
const reporter = ({ failed, interrupted, counterexample, errorInstance }) => {
  if (failed && !(interrupted && counterexample === null))
    throw errorInstance ?? new Error('A property does not hold.');
};
fc.configureGlobal({ interruptAfterTimeLimit: PROPERTY, endOnFailure: true, reporter });

// A test may replace this with its own clock.
const clock = performance.now.bind(performance);

const { getTestFn } = TestRunner;

/** The tests of all files, which share one thread. */
const tests = [];
let files = 0;

export default class Rerun extends TestRunner {
  async runTask(test) {
    const state = globalThis[inject('globalNamespace')];
    const id = state?.currentTestId;
    const before = worked();
    const began = clock();
    await getTestFn(test)();
    if (inject('mode') !== 'dry-run') return;
    test.meta.took = clock() - began;
    tests.push({ test, id, took: test.meta.took, cost: worked() - before });
    // Within the last test, because only a running test can register actions for its end.
    if (!this.isLast(test) || !state.mutantCoverage) return;
    await new Changes(state, tests, new Loading(this.moduleRunner)).try();
    state.currentTestId = id;
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test);
    // The runs with changes are not part of the last test's duration: time limits are derived from it.
    if (test.result && test.meta.took) test.result.duration = test.meta.took;
  }

  onAfterRunFiles(ran) {
    super.onAfterRunFiles(ran);
    files += ran.length;
  }

  isLast(test) {
    return files === this.workerState.ctx.files.length - 1 && testsOf(test.file).at(-1) === test;
  }
}

function testsOf(task) {
  if (task.mode !== 'run') return [];
  return task.type === 'test' ? [task] : task.tasks.flatMap(testsOf);
}
