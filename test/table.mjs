/** Prints what a test counts: `npm run table -- NAME`. */
import { spawnSync } from 'node:child_process';

/** The tests of each table, and what they are told by the environment unless the caller does. `words`: what stands behind the name. */
const TABLES = {
  agents: { tests: ['test/unit/agents/table.test.ts'] },
  tried: { tests: ['test/unit/agents/tried.test.ts'] },
  patterns: { tests: ['test/unit/patterns'], env: { UNSTUCK_PATTERNS: 'all' } },
  secrets: {
    tests: [
      'test/unit/base/secrets/kinds.test.ts',
      'test/unit/base/secrets/dresses.test.ts',
      'test/unit/base/secrets/healthy.test.ts',
    ],
  },
  matrix: { tests: ['test/matrix'], words: 'UNSTUCK_MATRIX' },
  samples: { tests: ['test/golden/samples.test.ts'] },
  pauses: { tests: ['test/golden/hindsight.test.ts'], env: { UNSTUCK_PAUSES: 'collected' } },
  drafts: { tests: ['test/golden/drafts.test.ts'], env: { UNSTUCK_DRAFTS: 'collected' } },
  messages: { tests: ['test/unit/agents/inbox/concurrent.test.ts'], env: { UNSTUCK_MESSAGES: '1000' } },
};

const [name = '', ...options] = process.argv.slice(2);
const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
if (table === undefined) {
  console.error(`usage: npm run table -- NAME\nnames: ${Object.keys(TABLES).join(', ')}`);
  process.exit(2);
}
const words = table.words === undefined ? {} : { [table.words]: options.splice(0).join(' ') };
const args = ['vitest', 'run', '--project', 'unit', ...table.tests, '--disable-console-intercept', ...options];
const { status } = spawnSync('npx', args, { stdio: 'inherit', env: { ...table.env, ...process.env, ...words } });
process.exit(status ?? 1);
