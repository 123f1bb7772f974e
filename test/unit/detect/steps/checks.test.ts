import { describe, expect, it } from 'vitest';
import { checkIn, saysWrong } from '../../../../src/detect/steps/checks';

const PROGRAMS =
  'pytest py.test unittest nose nose2 tox nox jest vitest mocha ava karma playwright cypress rspec minitest phpunit ctest gotestsum tsc vue-tsc eslint oxlint biome stylelint prettier ruff mypy pyright pylint flake8 black rubocop golangci-lint shellcheck checkpatch make ninja msbuild xcodebuild javac gcc g++ clang rustc webpack esbuild rollup runtests.py'.split(
    ' ',
  );
const RUNNERS =
  'npm pnpm yarn bun deno cargo go dotnet mvn mvnw gradle gradlew swift zig mix sbt bazel rake composer just task poetry uv hatch'.split(
    ' ',
  );

describe('programs that check the work', () => {
  it.each(PROGRAMS)('%s, wherever it stands in a command', (program) => {
    expect(checkIn(program)).toBe(program);
    expect(checkIn(`cd a && ./node_modules/.bin/${program.toUpperCase()} -x 2>&1`)).toBe(program);
    expect(checkIn(`bash -c "${program}"`)).toBe(program);
  });

  it.each(RUNNERS)('%s with what it runs', (runner) => {
    expect(checkIn(`FOO=1 ${runner} run test`)).toBe(`${runner} run test`);
    expect(checkIn(`${runner} lint:fix`)).toBe(`${runner} lint:fix`);
    expect(checkIn(`${runner} install`)).toBeNull();
  });

  it('none in other commands', () => {
    for (const command of ['ls -la', 'cat makefile.txt', 'git status', 'echo done', 'python manage.py migrate', '']) {
      expect(checkIn(command)).toBeNull();
    }
  });

  it('an output that says that something is wrong', () => {
    for (const output of [
      '2 failed, 3 passed',
      'FAILURES',
      'failures: 1',
      'a.ts(1,2): error TS2304: no',
      'Traceback (most recent call last)',
      'ValueError: no',
      '✗ one',
      '3 problems',
      'sh: command not found',
    ])
      expect(saysWrong(output), output).toBe(true);
    for (const output of ['5 passed', '0 failed', 'no problems', '']) expect(saysWrong(output), output).toBe(false);
  });
});
