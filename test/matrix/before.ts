/** Figures of a matrix by name; of each change, how many stuck runs are found and how many healthy ones get no alert. */
export interface Counts {
  readonly whole: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, readonly [found: string, silent: string]>>;
}

/**
 * The figures of version 7e1a068, as these commands print them:
 *
 *   git worktree add ../old 7e1a068 && cp test/matrix/* test/stories/signs.ts ../old/test/stories
 *   cd ../old && npm ci && UNSTUCK_MATRIX= npx vitest run test/stories/matrix.test.ts --disable-console-intercept
 */
export const BEFORE: Counts = {
  whole: {
    'stuck runs found when nothing is changed': '37 of 63',
    'of those, still found under a change': '462 of 612',
    'all stuck runs found': '526 of 1023',
    'healthy runs called stuck': '917 of 1658',
    'healthy runs with a warning': '51 of 1658',
  },
  changes: {
    plain: ['37 of 63', '26 of 78'],
    continue: ['3 of 47', '58 of 58'],
    complaint: ['0 of 48', '59 of 59'],
    Chinese: ['0 of 47', '58 of 58'],
    interruption: ['3 of 48', '59 of 59'],
    'batches of 4': ['20 of 33', '19 of 56'],
    'batches of 8': ['3 of 35', '17 of 58'],
    'late results': ['20 of 33', '19 of 56'],
    clock: ['27 of 40', '18 of 59'],
    ids: ['26 of 40', '21 of 58'],
    port: ['27 of 40', '18 of 59'],
    colours: ['25 of 40', '21 of 58'],
    reminders: ['27 of 40', '11 of 59'],
    plan: ['23 of 40', '21 of 58'],
    look: ['24 of 35', '18 of 59'],
    'new file': ['18 of 33', '22 of 58'],
    'unrelated success': ['20 of 31', '20 of 59'],
    text: ['23 of 40', '21 of 58'],
    'sub-agent': ['27 of 40', '18 of 59'],
    compaction: ['32 of 47', '20 of 58'],
    cd: ['18 of 22', '9 of 48'],
    sleep: ['15 of 20', '15 of 51'],
    bash: ['19 of 22', '9 of 48'],
    env: ['17 of 20', '36 of 51'],
    pipes: ['5 of 18', '16 of 48'],
    'no exit code': ['15 of 20', '15 of 51'],
    'no error flag': ['16 of 20', '17 of 48'],
    language: ['12 of 19', '0 of 3'],
    'shuffled tests': ['2 of 4', '5 of 33'],
    'shifted lines': ['2 of 3', '5 of 34'],
    Windows: ['16 of 20', '11 of 40'],
    'copied beginning': ['4 of 15', '8 of 19'],
  },
};
