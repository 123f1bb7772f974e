import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLines } from '../../../../../src/base/checks/runners/lines';
import { parseOutput as parseLines } from '../../../../../src/base/checks/runners/parse-output';

const parseOutput = (text: string) => parseLines(plainLines(text));
const output = (name: string) => readFileSync(join(__dirname, '..', 'outputs', `${name}.txt`), 'utf8');
const NAMES = [
  'cargo-build',
  'cargo-test',
  'eslint',
  'go-broken',
  'go-build',
  'go-test',
  'go-test-v',
  'go-vet',
  'jest',
  'mocha',
  'node-spec',
  'node-tap',
  'pytest',
  'pytest-q',
  'pytest-short',
  'tsc',
  'tsc-pretty',
  'vitest',
  'vitest-color',
] as const;

/** `file:line:column test: message` of each failure, without the project's folder. */
function told(text: string): string[] {
  return parseOutput(text).failures.map(({ file, line, column, test, message }) => {
    const place = [file?.replace('/home/dev/project/', ''), line, column]
      .filter((part) => part !== undefined)
      .join(':');
    return `${place} | ${test ?? ''} | ${message}`;
  });
}

const counts = (text: string) => {
  const { failed, passed, skipped } = parseOutput(text);
  return [failed, passed, skipped];
};

describe('the output of real runners', () => {
  it('node test, in both of its forms', () => {
    const greet =
      "src/calc.js:5:24 | of nothing throws | TypeError [Error]: Cannot read properties of undefined (reading 'toUpperCase')";
    expect(told(output('node-spec'))).toEqual([
      'node/calc.test.js:5:10 | adds two numbers | AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 0 !== 4',
      greet,
    ]);
    expect(told(output('node-tap'))).toEqual([
      'node/calc.test.js:5:10 | adds two numbers | Expected values to be strictly equal: 0 !== 4',
      greet.replace('TypeError [Error]: ', ''),
    ]);
    expect(counts(output('node-spec'))).toEqual([2, 1, 1]);
    expect(counts(output('node-tap'))).toEqual([2, 1, 1]);
  });

  it('vitest, the same with and without colours', () => {
    expect(told(output('vitest'))).toEqual([
      "broken.test.ts:1:1 | broken.test.ts | Error: Cannot find module './nowhere' imported from /home/dev/project/broken.test.ts",
      'calc.test.ts:4:21 | adds two numbers | AssertionError: expected +0 to be 4 // Object.is equality',
      "calc.test.ts:11:38 | sums > of nothing throws | TypeError: Cannot read properties of undefined (reading 'toUpperCase')",
    ]);
    expect(told(output('vitest-color'))).toEqual(told(output('vitest')));
    expect(counts(output('vitest-color'))).toEqual([2, 1, 1]);
  });

  it('jest, even for a file that it could not parse', () => {
    expect(told(output('jest'))).toEqual([
      'jest/calc.test.js:3:21 | adds two numbers | Expected: 4, received: 0',
      "src/calc.js:5:24 | sums > of nothing throws | TypeError: Cannot read properties of undefined (reading 'toUpperCase')",
      'jest/broken.test.js:1:41 | jest/broken.test.js | SyntaxError: Unexpected token',
    ]);
    expect(counts(output('jest'))).toEqual([2, 1, 1]);
  });

  it('mocha', () => {
    expect(told(output('mocha'))).toEqual([
      'mocha/calc.spec.js:5:12 | calc > adds two numbers | AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 0 !== 4',
      "src/calc.js:5:24 | calc > sums > of nothing throws | TypeError: Cannot read properties of undefined (reading 'toUpperCase')",
    ]);
    expect(counts(output('mocha'))).toEqual([2, 1, 1]);
  });

  it('pytest, with long and short tracebacks, and a file that cannot be imported', () => {
    const failures = [
      'tests/test_calc.py:6 | test_add | assert 0 == 4',
      'tests/test_calc.py:16 | TestSums.test_many[1] | assert 0 == (2 * 1)',
      'tests/test_calc.py:16 | TestSums.test_many[2] | assert 0 == (2 * 2)',
      'tests/test_calc.py:19 | TestSums.test_raises | ValueError: nothing to sum',
    ];
    expect(told(output('pytest-q'))).toEqual(failures);
    expect(told(output('pytest-short'))).toEqual(failures);
    expect(counts(output('pytest-q'))).toEqual([4, 1, undefined]);
    expect(told(output('pytest'))).toEqual([
      "tests/test_broken.py:1 | tests/test_broken.py | ModuleNotFoundError: No module named 'nowhere'",
    ]);
  });

  it('pytest without tracebacks, from its short summary', () => {
    const text =
      'F.\n=== short test summary info ===\nFAILED tests/test_a.py::TestA::test_b - assert 1 == 2\n1 failed, 1 passed in 0.01s\n';
    expect(told(text)).toEqual(['tests/test_a.py:1 | TestA.test_b | assert 1 == 2']);
  });

  it('go test: a panic and subtests, and files named from the module', () => {
    expect(told(output('go-test'))).toEqual([
      'calc_test.go:7 | TestAdd | Add(2, 2) = 0, want 4',
      'calc_test.go:17 | TestMany/one | one went wrong',
      'go/deep/deep_test.go:7 | TestPanics | panic: assignment to entry in nil map',
    ]);
    expect(counts(output('go-test'))).toEqual([3, undefined, undefined]);
    expect(told(output('go-test-v'))).toEqual([
      'calc_test.go:7 | TestAdd | Add(2, 2) = 0, want 4',
      'calc_test.go:17 | TestMany/one | one went wrong',
    ]);
    expect(told(output('go-broken'))[0]).toBe('calc.go:3:37 |  | undefined: c');
    expect(told(output('go-build'))).toEqual(['calc.go:3:37 |  | undefined: c']);
    expect(told(output('go-vet'))).toEqual(['calc.go:5:26 |  | fmt.Printf format %d has arg "x" of wrong type string']);
  });

  it('cargo test and the compiler before it', () => {
    expect(told(output('cargo-test'))).toEqual([
      'src/lib.rs:17:9 | tests::fails | no way',
      'src/lib.rs:9:9 | tests::adds | assertion `left == right` failed, left: 0, right: 4',
    ]);
    expect(counts(output('cargo-test'))).toEqual([2, 1, 0]);
    expect(told(output('cargo-build'))).toEqual([
      'src/lib.rs:2:25 |  | cannot find value `c` in this scope',
      'src/lib.rs:2:27 |  | cannot add `&str` to `i32`',
    ]);
  });

  it('tsc, plain and pretty', () => {
    expect(told(output('tsc'))).toEqual([
      "ts/bad.ts:1:7 |  | TS2322: Type 'string' is not assignable to type 'number'.",
      "ts/bad.ts:2:41 |  | TS2551: Property 'lenght' does not exist on type 'string'. Did you mean 'length'?",
      "ts/bad.ts:3:1 |  | TS2304: Cannot find name 'missing'.",
    ]);
    expect(told(output('tsc-pretty'))).toEqual(told(output('tsc')));
  });

  it('eslint: its errors, not its warnings', () => {
    expect(told(output('eslint'))).toEqual([
      "lint/one.js:1:5 |  | 'a' is never reassigned. Use 'const' instead (prefer-const)",
      "lint/one.js:3:1 |  | 'console' is not defined (no-undef)",
      "lint/one.js:3:16 |  | 'missing' is not defined (no-undef)",
      'lint/two.js:1:9 |  | Parsing error: Unexpected token ;',
    ]);
  });
});

describe('documented output of programs that were not available', () => {
  const end = 'Found 2 errors.\n[*] 1 fixable with the `--fix` option.\n';

  it('ruff in its three forms', () => {
    const failures = ['fib.py:1:8 |  | F401 `os` imported but unused', 'undef.py:1:4 |  | F821 Undefined name `a`'];
    expect(
      told(`fib.py:1:8: F401 [*] \`os\` imported but unused\nundef.py:1:4: F821 Undefined name \`a\`\n${end}`),
    ).toEqual(failures);
    expect(
      told(
        `F401 [*] \`os\` imported but unused\n --> fib.py:1:8\n  |\n1 | import os\n\nF821 Undefined name \`a\`\n --> undef.py:1:4\n  |\n${end}`,
      ),
    ).toEqual(failures);
    expect(
      told(
        `fib.py:\n  1:8 F401 [*] \`os\` imported but unused\n\nundef.py:\n  1:4 F821 Undefined name \`a\`\n\n${end}`,
      ),
    ).toEqual(failures);
  });

  it('unknown programs: positions with a complaint', () => {
    const text =
      'src/main.c:12:5: error: unknown type name\nsrc/main.c:3:1: note: declared here\nmypy.py:4: error: Bad return  [x]\n';
    expect(told(text)).toEqual(['src/main.c:12:5 |  | unknown type name', 'mypy.py:4 |  | Bad return [x]']);
    expect(told("  × eslint(no-undef): 'x' is not defined\n   ╭─[src/a.ts:3:7]\n")).toEqual([
      "src/a.ts:3:7 |  | eslint(no-undef): 'x' is not defined",
    ]);
  });

  it('unknown programs without a position: the lines that name an error, but none about 0 errors', () => {
    expect(told('start\nFAIL total: expected 7, got 5\n0 errors\n')).toEqual([' |  | FAIL total: expected 7, got 5']);
  });
});

it('several programs in one command are added up', () => {
  const both = `${output('tsc')}\n${output('mocha')}`;
  expect(told(both)).toHaveLength(5);
});

it('a run that passed has no failures', () => {
  expect(parseOutput('\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n')).toMatchObject({
    failures: [],
    passed: 3,
  });
  expect(parseOutput('')).toMatchObject({ failures: [] });
});

describe('no output can break the parsers', () => {
  const pieces = NAMES.flatMap((name) => output(name).split('\n'));
  const holds = (text: string) => {
    const { failures } = parseOutput(text);
    expect(failures.length).toBeLessThanOrEqual(1_000);
    for (const { message, line, column } of failures) {
      expect(message).not.toBe('');
      expect(message.length).toBeLessThanOrEqual(2_100);
      expect(message).not.toContain('\n');
      if (line !== undefined) expect(line).toBeGreaterThan(0);
      if (column !== undefined) expect(column).toBeGreaterThan(0);
    }
  };

  it('arbitrary text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 500, unit: 'binary' }), holds), { numRuns: 200 });
  });

  it('lines of real outputs, mixed, cut and repeated', () => {
    const piece = fc
      .tuple(fc.constantFrom(...pieces), fc.nat(60), fc.nat(3))
      .map(([text, from, times]) => (times === 0 ? text.slice(from) : `${text}\n`.repeat(times)));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (parts) => holds(parts.join('\n'))),
      { numRuns: 300 },
    );
  });

  it('every beginning of every real output', () => {
    for (const name of NAMES) {
      const text = output(name);
      for (let end = 0; end < text.length; end += 97) holds(text.slice(0, end));
    }
  });
});

describe('the lines of an output', () => {
  // 64 KB of them kept the editor waiting for 20 ms: each parser read each line.
  it('are limited in number, too: of endless blank lines the first and the last are read', () => {
    const lines = plainLines(`first${'\n'.repeat(130_000)}last`);
    expect(lines.length).toBeLessThanOrEqual(16_384);
    expect([lines[0], lines.at(-1)]).toEqual(['first', 'last']);
  });

  it('are all there if they have the usual length of lines', () => {
    const text = Array.from({ length: 10_000 }, (_, number) => `ok ${number} - x`).join('\n');
    expect(plainLines(text)).toHaveLength(10_000);
  });
});
