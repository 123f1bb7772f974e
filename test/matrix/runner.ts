import { randomOf } from './random';

interface Failure {
  readonly test: string;
  readonly expected: string;
  readonly received: string;
}

/** The output of a test runner for a file with 24 tests. */
function printed(failures: readonly Failure[]): string {
  const failed = failures.length;
  const totals = `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${24 - failed} passed, 24 total`;
  if (failed === 0) return `PASS test/cart.test.ts\n\n${totals}`;
  const blocks = failures.map(
    ({ test, expected, received }, index) =>
      `  ● cart › ${test}\n\n    expect(received).toBe(expected)\n\n    Expected: ${expected}\n    Received: ${received}\n\n      at Object.<anonymous> (test/cart.test.ts:${14 + index * 9}:21)`,
  );
  return ['FAIL test/cart.test.ts', ...blocks, totals].join('\n\n');
}

const TESTS = [
  'adds the tax',
  'rounds half up',
  'drops empty rows',
  'keeps the order',
  'takes a coupon',
  'refuses minus',
  'reads a list',
  'sums it up',
];

const failing = (tests: readonly string[]): string =>
  printed(tests.map((test, index) => ({ test, expected: String(119 + index), received: String(100 + index) })));

/** This many failing tests, different ones in each round. */
function some(round: number, count: number): string {
  const random = randomOf(`tests of round ${round}`);
  const order = TESTS.map((test) => [random(), test] as const).sort(([a], [b]) => a - b);
  return failing(order.slice(0, count).map(([, test]) => test));
}

/** Test runs by the word that stories use, for the round with this number. */
export const RUNNERS: Readonly<Record<string, (round: number) => string>> = {
  same: () => failing(TESTS.slice(0, 3)),
  moving: (round) => printed([{ test: 'adds the tax', expected: '119', received: String(100 + ((round * 7) % 13)) }]),
  fewer: (round) => failing(TESTS.slice(Math.max(0, round - 1))),
  others: (round) => some(round, round === 1 ? 4 : 4 + (round % 3)),
  slowly: (round) => some(round, Math.max(0, 6 - Math.floor(round / 3)) + (round % 3 === 1 ? 1 : 0)),
  own: (round) => failing([`is right in part ${round}`]),
};
