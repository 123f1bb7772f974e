import { describe, expect, it } from 'vitest';
import { READ_FILES, detectGates } from '../../../../src/recover/gates/detect-commands';
import type { ProjectFiles } from '../../../../src/recover/gates/proposal';

const project = (texts: Readonly<Record<string, string>>, ...names: readonly string[]): ProjectFiles => ({
  texts,
  names: new Set([...Object.keys(texts), ...names]),
  has: (path) => names.includes(path),
});
const commands = (files: ProjectFiles) => detectGates(files).map(({ command }) => command);
const node = (manifest: object, ...names: readonly string[]) =>
  project({ 'package.json': JSON.stringify(manifest) }, ...names);
const script = (name: string, text: string) => commands(node({ scripts: { [name]: text } }));

describe('the scripts of package.json', () => {
  it.each([
    ['build', 'build'],
    ['compile', 'build'],
    ['typecheck', 'types'],
    ['type-check', 'types'],
    ['check-types', 'types'],
    ['check:types', 'types'],
    ['types', 'types'],
    ['tsc', 'types'],
    ['lint', 'lint'],
    ['check:lint', 'lint'],
    ['eslint', 'lint'],
    ['test', 'tests'],
    ['tests', 'tests'],
    ['test:unit', 'tests'],
  ])('%s is the gate %s', (name, id) => {
    const [gate, ...more] = detectGates(node({ scripts: { [name]: 'x' } }));
    expect(gate).toMatchObject({ id, name: id, runs: 'x', needs: [], timeoutMs: 300_000 });
    expect(gate?.command).toBe(name === 'test' ? 'npm test' : `npm run ${name}`);
    expect(more).toEqual([]);
  });

  it.each([
    ['vitest', false],
    ['vitest run', false],
    ['vitest --watch', true],
    ['vitest --watch=false', false],
    ['jest --watchAll', true],
    ['jest -w', true],
    ['jest -w 2', true],
    ['jest --watchman', false],
    ['vitest --ui', true],
    ['tsc -watcher', false],
    ['nodemon server.js', true],
    ['npx nodemon server.js', true],
    ['vite', true],
    ['vite build', false],
    ['npx vite', true],
    ['npx vite build', false],
    ['next dev', true],
    ['next build', false],
    ['node vite.js', true],
    ['cross-env CI=1 nodemon', false],
    ['echo "Error: no test specified" && exit 1', true],
    ['', true],
    [' ', true],
  ])('%s never ends or is not a check: %s', (text, isLeftOut) => {
    expect(script('test', text)).toEqual(isLeftOut ? [] : ['npm test']);
  });

  it('use the best name that is a check, and include what npm runs around it', () => {
    const scripts = {
      test: 'vitest --watch',
      tests: 7,
      'test:unit': 'vitest run',
      'posttest:unit': 'rm x',
      build: 'tsc',
    };
    const gates = detectGates(node({ scripts }));
    expect(gates.map(({ command, runs, needs }) => [command, runs, needs])).toEqual([
      ['npm run build', 'tsc', []],
      ['npm run test:unit', 'vitest run && rm x', ['build']],
    ]);
  });

  it.each([
    [[], undefined, 'npm test'],
    [['package-lock.json'], undefined, 'npm test'],
    [['npm-shrinkwrap.json'], undefined, 'npm test'],
    [['pnpm-lock.yaml', 'package-lock.json'], undefined, 'pnpm test'],
    [['yarn.lock'], undefined, 'yarn test'],
    [['bun.lock'], undefined, 'bun run test'],
    [['bun.lockb'], undefined, 'bun run test'],
    [['yarn.lock'], 'npm@10.0.0', 'npm test'],
    [[], 'yarn@4.0.0', 'yarn test'],
    [[], 'bun@1.2.0', 'bun run test'],
    [['yarn.lock'], 'deno@2', 'yarn test'],
    [['yarn.lock'], 'x npm@10', 'yarn test'],
    [['yarn.lock'], 'npm', 'yarn test'],
    [['yarn.lock'], 7, 'yarn test'],
  ])('with %j and the manager %s run by: %s', (locks, packageManager, command) => {
    expect(commands(node({ scripts: { test: 'x' }, packageManager }, ...locks))).toEqual([command]);
  });

  it('are empty if there is no package.json, or no object in it', () => {
    expect(commands(project({}, 'yarn.lock'))).toEqual([]);
    for (const text of ['[]', 'null', '"x"', '{"scripts":[]}', '{"scripts":7}'])
      expect(commands(project({ 'package.json': text }))).toEqual([]);
  });
});

describe('a Python project', () => {
  const of = (texts: Readonly<Record<string, string>>, ...names: readonly string[]) =>
    commands(project(texts, ...names)).map((command) => command.replace('python3 -m ', ''));

  it.each([
    [{ 'pytest.ini': '' }, [], ['pytest -q']],
    [{}, ['conftest.py'], ['pytest -q']],
    [{ 'pyproject.toml': '[tool.pytest.ini_options]' }, [], ['pytest -q']],
    [{ 'setup.cfg': '[tool:pytest]' }, [], ['pytest -q']],
    [{ 'tox.ini': '[pytest]' }, [], ['pytest -q']],
    [{ 'tox.ini': 'x\n[pytest]' }, [], ['pytest -q']],
    [{ 'tox.ini': '# [pytest]' }, [], []],
    [{ 'tox.ini': '[testenv]\ndeps = pytest' }, [], []],
    [{ 'setup.cfg': 'tests_require = pytest' }, [], ['pytest -q']],
    [{ 'pyproject.toml': 'dev = ["pytest"]' }, [], ['pytest -q']],
    [{ 'pyproject.toml': 'dev = ["pytestx"]' }, [], []],
    [{ 'pyproject.toml': '[project]' }, ['tests'], ['pytest -q']],
    [{}, ['setup.py', 'tests'], ['pytest -q']],
    [{}, ['requirements.txt', 'tests'], ['pytest -q']],
    [{}, ['tests'], []],
    [{}, ['setup.py'], []],
    [{ 'pyproject.toml': '[tool.ruff]' }, [], ['ruff check .']],
    [{ 'pyproject.toml': 'x\n[tool.ruff.lint]' }, [], ['ruff check .']],
    [{ 'setup.cfg': '[tool.ruff]' }, [], []],
    [{}, ['ruff.toml'], ['ruff check .']],
    [{}, ['.ruff.toml'], ['ruff check .']],
    [{}, ['.flake8'], ['flake8']],
    [{ 'setup.cfg': '[flake8]' }, [], ['flake8']],
    [{ 'tox.ini': 'x\n[flake8]' }, [], ['flake8']],
    [{ 'pyproject.toml': '[flake8]' }, [], []],
    [{}, ['.flake8', 'ruff.toml'], ['ruff check .']],
    [{}, ['mypy.ini'], ['mypy .']],
    [{}, ['.mypy.ini'], ['mypy .']],
    [{ 'pyproject.toml': '[tool.mypy]' }, [], ['mypy .']],
    [{ 'setup.cfg': 'x\n[mypy]' }, [], ['mypy .']],
    [{ 'setup.cfg': '[mypy-tests]' }, [], []],
  ] as const)('with %j and %j suggests %j', (texts, names, expected) => {
    expect(of(texts, ...names)).toEqual(expected);
  });

  it.each([
    [[], 'python3 -m flake8'],
    [['uv.lock', 'poetry.lock'], 'uv run flake8'],
    [['poetry.lock'], 'poetry run flake8'],
    [['pdm.lock'], 'pdm run flake8'],
    [['Pipfile.lock'], 'pipenv run flake8'],
    [['.venv/bin/python'], '.venv/bin/python -m flake8'],
    [['venv/bin/python'], 'venv/bin/python -m flake8'],
    [['.venv/Scripts/python.exe'], '.venv\\Scripts\\python.exe -m flake8'],
    [['venv/Scripts/python.exe'], 'venv\\Scripts\\python.exe -m flake8'],
  ])('with %j runs its tools by: %s', (names, command) => {
    expect(commands(project({}, '.flake8', ...names))).toEqual([command]);
  });
});

describe('other projects', () => {
  it('of Cargo are linted if they say how, of Go always', () => {
    expect(commands(project({ 'Cargo.toml': '[package]\n[lints]' }))).toEqual([
      'cargo build --all-targets',
      'cargo clippy --all-targets',
      'cargo test',
    ]);
    expect(commands(project({ 'Cargo.toml': '[workspace.lints.rust]' }))).toContain('cargo clippy --all-targets');
    expect(commands(project({ 'Cargo.toml': 'x = "[lints]"' }))).not.toContain('cargo clippy --all-targets');
    const cargo = detectGates(project({ 'Cargo.toml': '[lints]' }), 7);
    expect(cargo.map(({ id, needs, timeoutMs }) => [id, needs, timeoutMs])).toEqual([
      ['build', [], 7],
      ['lint', ['build'], 7],
      ['tests', ['build'], 7],
    ]);
    const go = detectGates(project({ 'go.mod': '' }));
    expect(go.map(({ id, needs }) => [id, needs])).toEqual([
      ['build', []],
      ['lint', ['build']],
      ['tests', ['build']],
    ]);
    expect(go[0]).not.toHaveProperty('runs');
  });

  it('of several kinds are distinguished by name', () => {
    const manifest = JSON.stringify({ scripts: { test: 'x' } });
    const gates = detectGates(
      project({
        'package.json': manifest,
        'Cargo.toml': '',
        'go.mod': '',
        'pytest.ini': '',
        Makefile: 'tests:\n\tx\ncheck:\n\ty',
      }),
    );
    expect(gates.map(({ id, name }) => `${id}: ${name}`)).toEqual([
      'node-tests: tests (node)',
      'python-tests: tests (python)',
      'cargo-build: build (cargo)',
      'cargo-tests: tests (cargo)',
      'go-build: build (go)',
      'go-lint: lint (go)',
      'go-tests: tests (go)',
    ]);
  });
});

describe('the targets of a Makefile', () => {
  const make = (text: string) => detectGates(project({ Makefile: text }));
  const of = (text: string) => make(text).map(({ id, command, runs }) => `${id}: ${command} = ${runs}`);

  it.each([
    ['build', 'build'],
    ['typecheck', 'types'],
    ['lint', 'lint'],
    ['test', 'tests'],
    ['tests', 'tests'],
    ['check', 'check'],
  ])('%s is the gate %s', (target, id) => {
    expect(of(`${target}:\n\trun it\n`)).toEqual([`${id}: make ${target} = ${target}:; run it`]);
    expect(make(`${target}:`)[0]?.needs).toEqual([]);
  });

  it('have a recipe up to the next line that is not part of it, with their prerequisites', () => {
    expect(of('x = 1\ntest : a b\n\tone\n\n# about\n  # more\n\ttwo\nother:\n\tthree')).toEqual([
      'tests: make test = test : a b; one; # about; # more; two',
    ]);
  });

  it('are targets, not variables, nor parts of other names', () => {
    expect(of('test := 1\nlint ::= 2\ncheck :::= 3\nbuild-all:\n\tx\nmy-test:\n\ty\n.check:\n\tz')).toEqual([]);
    expect(of('test::\n\tx')).toEqual(['tests: make test = test::; x']);
  });

  it('need the build, and run a check only if there is no other', () => {
    const gates = make('build:\n\tx\ntest:\n\ty\ntests:\n\tz\ncheck: lint test');
    expect(gates.map(({ id, command, needs }) => [id, command, needs])).toEqual([
      ['build', 'make build', []],
      ['tests', 'make test', ['build']],
    ]);
    expect(of('check:\n\tx')).toHaveLength(1);
  });

  it('are from the file that make itself reads', () => {
    const texts = { GNUmakefile: 'lint:', makefile: 'test:', Makefile: 'build:' };
    expect(commands(project(texts))).toEqual(['make lint']);
    expect(commands(project({ makefile: 'test:', Makefile: 'build:' }))).toEqual(['make test']);
  });

  it('provide what the project does not suggest', () => {
    const manifest = JSON.stringify({ scripts: { lint: 'x' } });
    const files = project({ 'package.json': manifest, Makefile: 'lint:\n\ty\ntest:\n\tz' });
    expect(commands(files)).toEqual(['npm run lint', 'make test']);
  });
});

it('reads no other files of a folder', () => {
  const read = new Set<string>();
  const texts = new Proxy({}, { get: (_, name) => void read.add(String(name)) });
  detectGates({ texts, names: new Set(), has: () => false });
  expect([...read].toSorted()).toEqual([...READ_FILES].toSorted());
});
