import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DetectorId } from '../../src/core/model';
import { runFamily } from '../unit/detect/support/run';
import { script } from '../unit/detect/support/script';

/** The output of a real runner, and a word in it that names what fails. */
const OUTPUTS = {
  jest: 'adds two numbers',
  vitest: 'adds two numbers',
  mocha: 'adds two numbers',
  'node-spec': 'adds two numbers',
  'node-tap': 'adds two numbers',
  pytest: 'test_broken',
  'pytest-q': 'test_add',
  'pytest-short': 'test_add',
  'go-test': 'TestAdd',
  'go-build': 'calc.go',
  'go-vet': 'calc.go',
  'cargo-test': 'tests::fails',
  'cargo-build': 'lib.rs',
  tsc: 'bad.ts',
  'tsc-pretty': 'bad.ts',
  eslint: 'one.js',
  ruff: 'total.py',
  mypy: 'core.py',
  rspec: 'adds',
  minitest: 'test_',
  phpunit: 'CalcTest::',
  ctest: 'calc_add',
  dotnet: 'AddsTwo',
  gradle: 'addsTwo()',
  maven: 'addsTwo',
  unittest: 'test_total',
  bun: 'adds',
  deno: 'adds',
  clippy: 'lib.rs',
  golangci: 'core.go',
} as const;
type Runner = keyof typeof OUTPUTS;

/** The output as the program prints it. */
const RUFF =
  'src/total.py:3:1: F401 [*] `os` imported but unused\nsrc/total.py:9:5: F821 Undefined name `price`\nFound 2 errors.\n[*] 1 fixable with the `--fix` option.';

const outputOf = (runner: Runner): string =>
  runner === 'ruff' ? RUFF : readFileSync(join(__dirname, '../unit/base/checks/outputs', `${runner}.txt`), 'utf8');

/** The way in which a command shows its output: whole with its exit code, or its end through a pipe that hides the exit code. */
interface Shown {
  readonly exitCode: number;
  readonly last?: number;
  readonly after?: string;
}
const WHOLE: Shown = { exitCode: 1 };
const tail = (last: number): Shown => ({ exitCode: 0, last });

const TABLE: readonly (readonly [command: string, runner: Runner, shown?: Shown])[] = [
  ['sleep 1; npm test', 'jest'],
  ['cd app && timeout 60 pytest -q', 'pytest-q'],
  ['npm test 2>&1 | tail -20', 'jest', tail(20)],
  ['npm test 2>&1 | tail -60', 'vitest', tail(60)],
  ['just test', 'pytest-short'],
  ['make test', 'go-test'],
  ['make -C app check', 'pytest-q'],
  ['mise run test', 'vitest'],
  ['task test', 'go-test'],
  ['npx vitest run', 'vitest'],
  ['npx jest --ci', 'jest'],
  ['./node_modules/.bin/mocha', 'mocha'],
  ['node --test', 'node-spec'],
  ['npm test', 'node-tap'],
  ['pnpm -C app test', 'vitest'],
  ['yarn test', 'jest'],
  ['bun run test', 'vitest'],
  ['CI=true npm test', 'jest'],
  ['(cd app && npm test)', 'jest'],
  ['bash -lc "npm test"', 'jest'],
  ['timeout 120 npm test || true', 'jest', { exitCode: 0 }],
  ['npm test; echo "exit: $?"', 'jest', { exitCode: 0, after: '\nexit: 1' }],
  ['npm run build && npm test', 'tsc'],
  ['uv run pytest', 'pytest'],
  ['poetry run pytest -x', 'pytest-short'],
  ['python -m pytest tests', 'pytest'],
  ['python -m unittest', 'unittest'],
  ['docker compose exec web pytest -q', 'pytest-q'],
  ['go test ./...', 'go-test'],
  ['cd svc && go test ./... 2>&1 | head -80', 'go-test', { exitCode: 0 }],
  ['go vet ./...', 'go-vet'],
  ['go build ./...', 'go-build'],
  ['cargo test', 'cargo-test'],
  ['cargo build 2>&1', 'cargo-build'],
  ['npx tsc --noEmit', 'tsc'],
  ['npx tsc -p . --pretty', 'tsc-pretty'],
  ['npx eslint .', 'eslint'],
  ['npm run lint', 'eslint'],
  ['ruff check .', 'ruff'],
  ['uvx mypy src', 'mypy'],
  ['bundle exec rspec', 'rspec'],
  ['vendor/bin/phpunit', 'phpunit'],
  ['cmake --build build && ctest --test-dir build', 'ctest'],
  ['dotnet test', 'dotnet'],
  ['./gradlew test', 'gradle'],
  ['mvn -q -f app test', 'maven'],
  ['bundle exec rake test', 'minitest'],
  ['bun test', 'bun'],
  ['deno test', 'deno'],
  ['cargo clippy -- -D warnings', 'clippy'],
  ['golangci-lint run', 'golangci'],
];

const COMMANDS = TABLE.map(([command, runner, shown = WHOLE]) => ({ command, runner, shown }));

/** The same failure in another log: other times, other addresses, other lines before it. */
function logged(text: string, run: number): string {
  const moved = text
    .replace(/\b(\d+)(\.\d+)?(?= ?(?:ms|s|sec|seconds)\b)/g, (_, whole: string, rest?: string) =>
      rest === undefined ? String(Number(whole) + run) : `${whole}${rest.slice(0, -1)}${run}`,
    )
    .replace(/0x7f[0-9a-f]{6,}/g, (address) => `${address.slice(0, -2)}${run}a`);
  return `[10:0${run}:3${run}] worker ${run} connected to db-${run}\n${moved}`;
}

function shownAs(text: string, { last, after = '' }: Shown): string {
  return `${last === undefined ? text : text.split('\n').slice(-last).join('\n')}${after}`;
}

/** Edits and runs the check, again and again. */
function told(command: string, outputs: readonly string[], exitCode: number): string[] {
  const run = script().user('Make the tests pass.').call('read', { file_path: 'src/calc.js' }, { output: 'content' });
  outputs.forEach((output, index) => {
    run
      .call(
        'edit',
        { file_path: 'src/calc.js', old_string: `a${index}`, new_string: `a${index + 1}` },
        { output: 'edited' },
      )
      .call('bash', { command }, { output, exitCode, isError: exitCode !== 0 });
  });
  const named = (detector: DetectorId, rule: string | null): string =>
    rule === null ? detector : `${detector}/${rule}`;
  return runFamily(run.events()).findings.map(
    ({ detector, rule, level, count }) => `${level} ${named(detector, rule)} ${count}`,
  );
}

describe('a check that fails the same way four times, in four different logs, with edits between', () => {
  test.each(COMMANDS)('$command ($runner)', ({ command, runner, shown }) => {
    const outputs = [1, 2, 3, 4].map((run) => logged(shownAs(outputOf(runner), shown), run));
    expect(new Set(outputs).size).toBe(4);
    expect(told(command, outputs, shown.exitCode)).toEqual(['warn repeating_outcome 3', 'stuck repeating_outcome 4']);
  });
});

describe('healthy twin: each time something else fails', () => {
  const whole = COMMANDS.filter(({ runner, shown }) => shownAs(outputOf(runner), shown).includes(OUTPUTS[runner]));

  test('can be drawn for nearly all of them', () => {
    expect(whole.length).toBeGreaterThan(COMMANDS.length - 3);
  });

  test.each(whole)('$command ($runner)', ({ command, runner, shown }) => {
    const name = OUTPUTS[runner];
    const outputs = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((other, run) =>
      logged(shownAs(outputOf(runner).replaceAll(name, renamed(name, other)), shown), run),
    );
    expect(told(command, outputs, shown.exitCode)).toEqual([]);
  });
});

describe('healthy twin: it passes in between', () => {
  test.each(COMMANDS.filter(({ shown }) => shown === WHOLE))('$command ($runner)', ({ command, runner }) => {
    const run = script().user('Make the tests pass.').call('read', { file_path: 'src/calc.js' }, { output: 'content' });
    for (let round = 0; round < 6; round++) {
      const passes = round % 3 === 2;
      run
        .call(
          'edit',
          { file_path: 'src/calc.js', old_string: `a${round}`, new_string: `b${round}` },
          { output: 'edited' },
        )
        .call(
          'bash',
          { command },
          passes
            ? { output: '', exitCode: 0 }
            : { output: logged(outputOf(runner), round), exitCode: 1, isError: true },
        );
    }
    expect(runFamily(run.events()).findings).toEqual([]);
  });
});

/** Another name of the same form: `test_add` becomes `test_add_alpha`, `calc.go` becomes `calc_alpha.go`. */
function renamed(name: string, other: string): string {
  const [, stem = name, rest = ''] = /^(.*?)(\.\w+|\(\))$/.exec(name) ?? [];
  return stem.includes(' ') ? `${stem} ${other}` : `${stem}_${other}${rest}`;
}
