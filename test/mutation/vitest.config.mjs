import { dirname } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { ROOMS } from './rooms.mjs';

/** The tests of the room that `npm run mutate` works on. */
const { tests } = ROOMS[process.env.UNSTUCK_MUTATE];

/** Where the tests of the files lie that are changed, if not the whole room is. */
const near = (process.env.UNSTUCK_MUTATE_FILES ?? '')
  .split('\n')
  .filter(Boolean)
  .map((file) => `/${dirname(file).replace(/^src/, 'test/unit')}/`);

/** First what is written for the changed files, then the deeper the better: what a small test notices the large ones need not try. */
class SmallPiecesFirst extends BaseSequencer {
  sort(specs) {
    const isNear = ({ moduleId }) => near.some((folder) => moduleId.includes(folder));
    const depth = ({ moduleId }) => moduleId.split('/').length;
    return Promise.resolve(
      specs.toSorted(
        (a, b) => Number(isNear(b)) - Number(isNear(a)) || depth(b) - depth(a) || (a.moduleId < b.moduleId ? -1 : 1),
      ),
    );
  }
}

export default defineConfig({
  test: {
    include: tests.filter((glob) => !glob.startsWith('!')),
    exclude: tests.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
    env: { TZ: 'UTC' },
    runner: './test/mutation/rerun.mjs',
    // One thread for all files of a run: each module loads once. The next run gets a thread of its own.
    isolate: false,
    sequence: { sequencer: SmallPiecesFirst },
    // The first run is instrumented, and the machine may be busy.
    testTimeout: 60_000,
  },
});
