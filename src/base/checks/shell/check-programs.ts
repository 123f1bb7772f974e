import { optionsGone } from './unwrap';
import { programName, wordTable, words } from './words';

/** Programs whose result shows whether the work is correct, whatever their arguments: tests, types, linters, compilers. */
const ALWAYS =
  words(`pytest py.test unittest nose nose2 tox nox jest vitest mocha ava karma jasmine tap tape uvu c8 nyc cypress wdio
  rspec minitest phpunit pest phpstan psalm phpcs ctest gotestsum ginkgo tsc tsgo vue-tsc svelte-check eslint oxlint stylelint tslint xo
  standard jshint htmlhint markdownlint markdownlint-cli markdownlint-cli2 cspell mypy dmypy pyright basedpyright pyre ty pylint flake8
  pycodestyle pydocstyle bandit vulture py_compile compileall rubocop standardrb brakeman sorbet srb golangci-lint staticcheck revive
  shellcheck hadolint actionlint yamllint ansible-lint tflint checkpatch checkpatch.pl cppcheck clang-tidy cpplint swiftlint ktlint detekt
  checkstyle pmd spotbugs credo dialyzer ninja msbuild xcodebuild javac kotlinc scalac groovyc gcc g++ cc c++ clang clang++ rustc swiftc
  ghc webpack rollup parcel tsup tsdown ng-packagr bats busted luacheck selene prove sqlfluff buf vale pre-commit prek lefthook lint-staged
  commitlint knip depcheck madge publint attw pyflakes mkdocs rake trunk bear`);

/** Programs that also do other things, with the first words after their options that make them a check. `` means no word at all. */
const PARTS = wordTable({
  cargo: 'test t check c build b clippy nextest miri llvm-cov tarpaulin doc hack',
  go: 'test build vet',
  dotnet: 'test build msbuild format vstest',
  swift: 'test build',
  deno: 'test check lint compile bench',
  bun: 'test build',
  zig: 'test build',
  mix: 'test compile credo dialyzer format',
  gleam: 'test check build',
  stack: 'test build',
  cabal: 'test build check',
  dune: 'test build runtest',
  opam: 'lint',
  lein: 'test check compile',
  sbt: 'test compile testOnly scalafmtCheck',
  bazel: 'test build coverage',
  bazelisk: 'test build coverage',
  buck2: 'test build',
  meson: 'test compile',
  flutter: 'test analyze build',
  dart: 'test analyze compile',
  biome: 'check lint ci',
  ruff: 'check',
  playwright: 'test',
  react: 'test build',
  'react-scripts': 'test build',
  next: 'build lint',
  nuxt: 'build typecheck',
  astro: 'check build',
  vite: 'build',
  'vue-cli-service': 'build lint test:unit',
  ng: 'test build lint e2e',
  expo: 'lint export',
  gatsby: 'build',
  remix: 'build vite:build',
  'react-router': 'build typecheck',
  nest: 'build',
  ember: 'build test',
  quasar: 'build',
  ionic: 'build',
  storybook: 'build',
  docusaurus: 'build',
  vitepress: 'build',
  vuepress: 'build',
  rspack: 'build',
  rsbuild: 'build',
  wxt: 'build',
  tauri: 'build',
  eas: 'build',
  vercel: 'build',
  netlify: 'build',
  sam: 'build validate',
  packer: 'build validate',
  kustomize: 'build',
  skaffold: 'build',
  esbuild: '*',
  terraform: 'validate plan',
  tofu: 'validate plan',
  helm: 'lint template',
  cmake: '--build',
  rails: 'test spec test:system zeitwerk:check',
  artisan: 'test',
  'manage.py': 'test check',
  django: 'test check',
  docker: 'build buildx',
  podman: 'build',
  nix: 'build flake',
  'nix-build': '*',
  'setup.py': 'test build check',
  'runtests.py': '*',
  forge: 'test build',
  hardhat: 'test compile',
  anchor: 'test build',
  'wasm-pack': 'test build',
  maturin: 'build develop',
  elm: 'make',
  'elm-test': '*',
  rebar3: 'eunit ct compile dialyzer',
  alembic: 'check',
  prisma: 'validate',
  tach: 'check',
  jekyll: 'build doctor',
  zola: 'build check',
  mdbook: 'build test',
  'jupyter-book': 'build',
  'sphinx-build': '*',
  latexmk: '*',
  pdflatex: '*',
  xelatex: '*',
  lualatex: '*',
  typst: 'compile',
  quarto: 'render check',
  colcon: 'build test',
  west: 'build',
  'idf.py': 'build',
  pio: 'run test check',
  'scala-cli': 'compile test',
  lake: 'build test',
  scarb: 'build test',
  truffle: 'compile test',
  uv: 'build',
  poetry: 'build check',
  hatch: 'build test',
  twine: 'check',
});

/** Formatters and the like, which check only with one of these options. */
const FLAGS = wordTable({
  prettier: '--check -c --list-different -l',
  dprint: 'check',
  black: '--check --diff',
  isort: '--check --check-only -c --diff',
  autopep8: '--diff',
  yapf: '--diff -d',
  ruff: '--check --diff',
  gofmt: '-l -d',
  gofumpt: '-l -d',
  goimports: '-l -d',
  rustfmt: '--check',
  cargo: '--check',
  shfmt: '-d -l',
  'clang-format': '--dry-run -n',
  terraform: '-check',
  nixfmt: '--check',
  stylua: '--check',
  deno: '--check',
  mix: '--check-formatted',
  node: '--test --check -c',
  tsx: '--test',
  php: '-l',
  ruby: '-c',
  perl: '-c',
  bash: '-n',
  sh: '-n',
  zsh: '-n',
  luac: '-p',
  nginx: '-t',
});

/** Programs that run tasks named by a project, and the words that precede the name. */
const TASK_RUNNERS = wordTable({
  npm: 'run run-script rum urn',
  pnpm: 'run recursive -r',
  yarn: 'run workspace workspaces foreach',
  bun: 'run',
  deno: 'task run',
  just: '',
  mise: 'run r',
  task: '',
  'go-task': '',
  rake: '',
  invoke: '',
  inv: '',
  poe: '',
  nox: '',
  hatch: 'run',
  pdm: 'run',
  poetry: 'run',
  pixi: 'run',
  uv: 'run',
  rye: 'run',
  nx: 'run run-many affected',
  turbo: 'run',
  lerna: 'run',
  moon: 'run',
  gulp: '',
  grunt: '',
  composer: 'run run-script',
  ant: '',
  mage: '',
  'npm-run-all': '',
  'run-s': '',
  'run-p': '',
  wireit: '',
  vp: '',
});

/** Words in the name of a task or script that make it a check. */
const TASKS =
  words(`test tests testing tst t spec specs lint lints linter linting check checks checking typecheck types type typing tsc build
  builds rebuild compile verify validate validation ci vet clippy e2e unit integration coverage cov quality analyze analyse analysis assemble
  mypy eslint ruff pytest jest vitest smoke qa audit preflight precommit`);
/** Words that make it something else, whatever else the name contains. */
const NO_TASKS = words(
  'deploy publish release start serve dev up down install setup migrate seed open logs shell docker clean format fmt write watch preview storybook help list',
);
/** Targets of make that check nothing; all others build. */
const NO_TARGETS = words(
  'clean distclean install uninstall run start serve dev up down stop restart deploy publish release logs shell help docs format fmt fix migrate seed setup init bootstrap menuconfig',
);
/** Goals of Maven and tasks of Gradle that check nothing; all others compile at least. */
const NO_GOALS =
  /^(?:clean|help|tasks|projects|properties|dependencies|dependencyInsight|run|bootRun|wrapper|init|stop|--stop|spring-boot:run|exec:.*|dependency:.*|help:.*|versions:.*|archetype:.*|site|deploy|publish\w*)$/;
const BUILD_TOOLS = words('mvn mvnw gradle gradlew');
const PACKAGE_MANAGERS = words('npm pnpm yarn bun');
/** A package manager's own commands, which run no script or program of the project. */
const OWN_COMMANDS =
  words(`install i ci add remove rm uninstall update up upgrade outdated list ls why info view init create publish pack link unlink
  audit cache config exec dlx x run start stop restart login logout whoami version bin prefix root doctor dedupe prune rebuild patch import fetch
  store env set-script pkg search docs help upgrade-interactive workspaces workspace node global self-update approve-builds pm repl`);
const NONE = words('');
const INFO_OPTIONS = words('--version -V --help -h help version --list --showConfig --print-config -list');

/** Returns whether this simple command, without its wrappers, checks the work: tests, types, lint, build. */
export function isCheck(given: readonly string[]): boolean {
  const program = programName(given[0] ?? '');
  const rest = given.slice(1);
  if (program === '' || rest.some((word, at) => at < 3 && INFO_OPTIONS.has(word))) return false;
  if (ALWAYS.has(program)) return true;
  const after = optionsGone(program, rest);
  const flags = FLAGS.get(program);
  if (flags !== undefined && rest.some((word) => flags.has(word))) return true;
  const parts = PARTS.get(program);
  if (parts !== undefined && (parts.has('*') || parts.has(after[0] ?? '') || parts.has(rest[0] ?? ''))) {
    return true;
  }
  if (program === 'make' || program === 'gmake' || program === 'nmake') return makes(after);
  if (BUILD_TOOLS.has(program)) return after.some((goal) => !goal.startsWith('-') && !NO_GOALS.test(goal));
  // Node.js runs a script from package.json
  if (program === 'node' && rest[0] === '--run') return isTaskName(rest[1] ?? '');
  if (program === 'php' || PYTHON.test(program) || program === 'node') return isOwnRunner(program, rest);
  if (SHELLS.has(program)) return isScript(after[0] ?? '');
  if (TASK_RUNNERS.has(program)) return isTask(program, after);
  return isScript(given[0] ?? '');
}

const SHELLS = words('bash sh zsh');
const PYTHON = /^(?:python|pypy)(?:\d+(?:\.\d+)?)?$|^py$/;

/** Returns whether a framework's own runner checks: `python manage.py test`, `php artisan test`. */
function isOwnRunner(program: string, rest: readonly string[]): boolean {
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const script = programName(rest[at] ?? '');
  if (program === 'node' || script === '' || ALWAYS.has(script)) return ALWAYS.has(script);
  const parts = PARTS.get(script);
  return parts !== undefined && (parts.has('*') || parts.has(rest[at + 1] ?? ''));
}

function makes(targets: readonly string[]): boolean {
  const named = targets.filter((word) => !word.startsWith('-') && !word.includes('=') && !/^\d+$/.test(word));
  return (
    named.length === 0 || named.some((target) => !NO_TARGETS.has(target) && !(isMixed(target) && !isTaskName(target)))
  );
}

/** True if a name contains a word that is not a check: `docker-up`, `run_server`. */
function isMixed(name: string): boolean {
  return partsOf(name).some((part) => NO_TARGETS.has(part));
}

function isTask(program: string, after: readonly string[]): boolean {
  let rest = after;
  const before = TASK_RUNNERS.get(program) ?? NONE;
  while (before.has(rest[0] ?? '')) {
    const workspace = rest[0] === 'workspace';
    rest = optionsGone(program, rest.slice(workspace ? 2 : 1));
  }
  const name = rest[0] ?? '';
  if (name === '') return program === 'gulp' || program === 'grunt' || program === 'ant';
  if (rest === after && PACKAGE_MANAGERS.has(program)) {
    // only yarn, pnpm and bun run a script or a program of the project without `run`
    if (program === 'npm') return name === 'test' || name === 't' || name === 'tst';
    if (OWN_COMMANDS.has(name)) return false;
    if (isTaskName(name)) return true;
    return isCheck(rest);
  }
  if (program === 'bun' || program === 'deno') return isTaskName(name) && !/\.[cm]?[jt]sx?$/.test(name);
  if (program === 'nx')
    return isTaskName(name) || rest.some((word) => /^(?:--target=|-t)/.test(word) || isTaskName(word));
  return rest.some((word, at) => at < 4 && !word.startsWith('-') && isTaskName(word));
}

/** Returns whether this program runs tasks named by a project. */
export function runsTasks(program: string): boolean {
  const name = programName(program);
  return TASK_RUNNERS.has(name) || name === 'make' || BUILD_TOOLS.has(name);
}

function partsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Returns whether the name of a project's task indicates a check: `test:unit`, `lint-all`, `typecheck`, `fmt:check`. */
function isTaskName(name: string): boolean {
  if (name.length > 80 || name.includes('/')) return false;
  const parts = partsOf(name);
  if (!parts.some((part) => TASKS.has(part))) return false;
  return (
    !parts.some((part) => NO_TASKS.has(part)) || /\b(?:fmt|format|formatting|style)[:_-]?check\b|^check[:_-]/.test(name)
  );
}

const PROJECT_FOLDERS = words('bin script scripts ci .ci tools hack dev build .github');

/** True for a script in one of the project's script folders that is named after a check: `./scripts/run-tests.sh`, `bin/lint`. */
function isScript(path: string): boolean {
  if (!path.includes('/')) return false;
  const parts = path.split('/');
  const folder = parts.findLastIndex((part, at) => at < parts.length - 1 && PROJECT_FOLDERS.has(part));
  if (folder < 0 || !parts.slice(folder).every((part) => /^[\w.-]+$/.test(part))) return false;
  return isTaskName((parts.at(-1) ?? '').replace(/\.(?:sh|bash|py|js|mjs|ps1)$/, ''));
}
