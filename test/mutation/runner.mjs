import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';

/**
 * Stryker's runner for vitest, with what `rerun.mjs` found in the first run: a change that a test noticed there needs no run of its own, and
 * neither does one of which all tests that cover it could be run again. Changes of what a module does while it loads still do.
 */

/** In the copy that Stryker works on; its workers share it. */
const FOUND = 'rerun.json';

class Runner {
  constructor(vitest) {
    this.vitest = vitest;
  }

  capabilities() {
    return this.vitest.capabilities();
  }

  init() {
    return this.vitest.init();
  }

  dispose() {
    return this.vitest.dispose();
  }

  async dryRun(options) {
    const { state } = this.vitest.ctx;
    // Changed code may leave a promise that fails behind the test: no reason to stop.
    const catchError = state.catchError;
    state.catchError = () => {};
    const result = await this.vitest.dryRun(options);
    state.catchError = catchError;
    const noticed = {};
    const complete = [];
    for (const { meta } of state.getFiles().flatMap(testsOf)) {
      if (!meta.changes) continue;
      const test = relative(process.cwd(), meta.changes.test).replaceAll('\\', '/');
      if (meta.changes.all) complete.push(test);
      for (const [change, how] of Object.entries(meta.changes.noticed)) noticed[change] = { how, test };
    }
    writeFileSync(FOUND, JSON.stringify({ noticed, complete }));
    return result;
  }

  async mutantRun(options) {
    this.found ??= JSON.parse(readFileSync(FOUND, 'utf8'));
    const { noticed, complete } = this.found;
    const { activeMutant, mutantActivation, testFilter = [] } = options;
    const found = noticed[activeMutant.id];
    if (found?.how === 'timeout') return { status: 'timeout', reason: `${found.test} did not end` };
    if (found) {
      const nrOfTests = Math.max(1, testFilter.length);
      return { status: 'killed', killedBy: [found.test], nrOfTests, failureMessage: `${found.test} failed` };
    }
    if (mutantActivation !== 'runtime' || testFilter.length === 0) return this.runOf(options);
    const left = testFilter.filter((test) => !complete.includes(test));
    if (left.length === 0) return { status: 'survived', nrOfTests: testFilter.length };
    return this.runOf({ ...options, testFilter: left });
  }

  /** A run of its own. Where a changed module throws while it loads, no test of the file runs, so that none fails: that is noticed too. */
  async runOf(options) {
    const result = await this.vitest.mutantRun(options);
    const broken = this.vitest.ctx.state.getFiles().find((file) => file.result?.state === 'fail');
    if (result.status !== 'survived' || !broken) return result;
    const test = this.found.complete.find((id) => id.startsWith(relative(process.cwd(), broken.filepath)));
    const killedBy = test === undefined ? [] : [test];
    return { status: 'killed', killedBy, nrOfTests: 1, failureMessage: `${broken.name} does not load` };
  }
}

function testsOf(task) {
  return task.type === 'test' ? [task] : (task.tasks ?? []).flatMap(testsOf);
}

const [vitestPlugin] = vitestPlugins;
function createRunner(injector) {
  return new Runner(injector.injectFunction(vitestPlugin.factory));
}
createRunner.inject = ['$injector'];

export const strykerPlugins = [{ kind: vitestPlugin.kind, name: 'rerun', factory: createRunner }];
export { strykerValidationSchema } from '@stryker-mutator/vitest-runner';
