/** Figures of a matrix by name; for each change, how many stuck runs are found and how many healthy ones get no alert. */
export interface Counts {
  readonly whole: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, readonly [found: string, silent: string]>>;
}

/**
 * The figures of version 7e1a068, as these commands print them. The tests fail there, because the list of known faults belongs to this
 * version.
 *
 *   git worktree add ../old 7e1a068 && cp test/matrix/* test/stories/signs.ts ../old/test/stories
 *   cd ../old && npm ci && UNSTUCK_MATRIX= npx vitest run test/stories/matrix.test.ts --disable-console-intercept
 */
export const BEFORE: Counts = {
  whole: {
    'stuck runs found when nothing is changed': '39 of 71',
    'of those, still found under a change': '511 of 678',
    'all stuck runs found': '575 of 1200',
    'healthy runs called stuck': '1097 of 2255',
    'healthy runs with a warning': '50 of 2255',
  },
  changes: {
    plain: ['39 of 71', '44 of 102'],
    continue: ['2 of 57', '77 of 77'],
    complaint: ['0 of 52', '79 of 79'],
    Chinese: ['0 of 56', '76 of 76'],
    interruption: ['3 of 52', '73 of 73'],
    'batches of 4': ['25 of 42', '31 of 72'],
    'batches of 8': ['2 of 38', '32 of 69'],
    'late results': ['24 of 39', '31 of 70'],
    clock: ['29 of 47', '34 of 81'],
    ids: ['27 of 41', '33 of 79'],
    port: ['28 of 47', '29 of 80'],
    'random seed': ['26 of 42', '30 of 75'],
    colours: ['30 of 47', '30 of 73'],
    reminders: ['26 of 47', '15 of 75'],
    plan: ['27 of 46', '29 of 72'],
    look: ['23 of 42', '35 of 80'],
    'new file': ['21 of 40', '36 of 77'],
    'unrelated success': ['19 of 35', '41 of 80'],
    text: ['24 of 41', '35 of 77'],
    'sub-agent': ['26 of 50', '30 of 72'],
    compaction: ['32 of 59', '36 of 78'],
    cd: ['16 of 19', '20 of 64'],
    sleep: ['16 of 20', '22 of 66'],
    bash: ['18 of 22', '20 of 62'],
    env: ['16 of 20', '44 of 71'],
    pipes: ['6 of 21', '35 of 71'],
    'no exit code': ['14 of 20', '24 of 62'],
    'no error flag': ['16 of 21', '28 of 63'],
    language: ['17 of 24', '0 of 4'],
    'copied beginning': ['4 of 15', '12 of 29'],
    'shuffled tests': ['1 of 3', '12 of 46'],
    'shifted lines': ['3 of 4', '13 of 45'],
    Windows: ['15 of 20', '22 of 55'],
  },
};
