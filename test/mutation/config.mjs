import { ROOMS } from './rooms.mjs';

/**
 * A change can make a loop endless that does not contain the change, and no timer ends a loop: so every switch of the instrumented code checks
 * whether the test's time is over (`once.mjs` sets it).
 */
const deadlines = {
  name: 'deadlines',
  enforce: 'pre',
  transform(code) {
    if (!code.includes('function stryMutAct_')) return null;
    return { code: code.replace('function isActive(id) {', 'function isActive(id) { ns.isLate?.();'), map: null };
  },
};

/** The tests of the room that `npm run mutate` works on. */
export function mutation() {
  const { tests } = ROOMS[process.env.UNSTUCK_MUTATE];
  // Only these, if a first result is wanted.
  const near = process.env.UNSTUCK_MUTATE_TESTS?.split('\n');
  return {
    plugins: [deadlines],
    test: {
      include: near ?? tests.filter((glob) => !glob.startsWith('!')),
      exclude: tests.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
      env: { TZ: 'UTC' },
      runner: './test/mutation/rerun.mjs',
      // One thread for all files of a run: each module loads once. The next run gets a separate thread.
      isolate: false,
      // The first run is instrumented, and the machine may be busy.
      testTimeout: 60_000,
    },
  };
}
