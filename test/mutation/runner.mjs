import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';

/**
 * Stryker's runner for vitest, with the findings of `rerun.mjs` in the first run: a change that was tried there, noticed or not, needs no separate
 * run.
 */

/** File in the copy that Stryker works on; its workers share it. */
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
    // Changed code may leave a rejected promise behind after the test: no reason to stop.
    const catchError = state.catchError;
    state.catchError = () => {};
    const result = await this.vitest.dryRun(options);
    state.catchError = catchError;
    return result;
  }

  async mutantRun(options) {
    this.found ??= existsSync(FOUND) ? JSON.parse(readFileSync(FOUND, 'utf8')) : { noticed: {}, tried: {} };
    const { activeMutant, testFilter = [] } = options;
    const nrOfTests = Math.max(1, testFilter.length);
    const found = this.found.noticed[activeMutant.id];
    if (found) {
      const test = nameOf(found.test);
      if (found.how === 'timeout') return { status: 'timeout', reason: `${test} did not end` };
      return { status: 'killed', killedBy: [test], nrOfTests, failureMessage: `${test} failed` };
    }
    const left = this.found.tried[activeMutant.id];
    if (left?.length === 0) return { status: 'survived', nrOfTests };
    return this.runOf(left ? { ...options, testFilter: left.map(nameOf) } : options);
  }

  /** A separate run. If a changed module throws while it loads, no test of the file runs, so none fails: that counts as noticed, too. */
  async runOf(options) {
    const result = await this.vitest.mutantRun(options);
    const broken = this.vitest.ctx.state.getFiles().find((file) => file.result?.state === 'fail');
    if (result.status !== 'survived' || !broken) return result;
    return { status: 'killed', killedBy: [], nrOfTests: 1, failureMessage: `${broken.name} does not load` };
  }
}

/** A test as Stryker names it. */
function nameOf(test) {
  return relative(process.cwd(), test).replaceAll('\\', '/');
}

const [vitestPlugin] = vitestPlugins;
function createRunner(injector) {
  return new Runner(injector.injectFunction(vitestPlugin.factory));
}
createRunner.inject = ['$injector'];

export const strykerPlugins = [{ kind: vitestPlugin.kind, name: 'rerun', factory: createRunner }];
export { strykerValidationSchema } from '@stryker-mutator/vitest-runner';
