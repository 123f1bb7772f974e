import { type SimpleCommand, type Unwrapped } from './segments';
import { programName, wordTable, words } from './words';

/** Programs and keywords that only start the command after them. */
const PREFIXES =
  words(`sudo doas time nohup command exec builtin nice ionice stdbuf unbuffer env setsid caffeinate chronic rtk cross-env
  cross-env-shell dotenv dotenvx doppler op xvfb-run timeout gtimeout xargs then do else if elif while until ! { ( npx pnpx bunx uvx pipx
  wsl winpty strace ltrace`);
/** The same for programs that need one of these words first: `uv run pytest`, `docker exec container pytest`. */
const STARTERS = wordTable({
  npm: 'exec x',
  pnpm: 'exec dlx',
  yarn: 'exec dlx node',
  bun: 'x',
  corepack: 'npm pnpm yarn',
  uv: 'run',
  poetry: 'run',
  pipenv: 'run',
  pdm: 'run',
  hatch: 'run',
  rye: 'run',
  pixi: 'run',
  conda: 'run',
  mamba: 'run',
  micromamba: 'run',
  bundle: 'exec',
  bundler: 'exec',
  mise: 'exec x',
  asdf: 'exec',
  direnv: 'exec',
  docker: 'exec',
  podman: 'exec',
  kubectl: 'exec',
  coverage: 'run',
});
/** Starters with another word before their command: the container, the folder. */
const PLACED = words('docker podman kubectl direnv');
/** Options that take the next word. */
const VALUED = wordTable({
  wsl: '-d --distribution -u --user --cd',
  ssh: '-i -p -o -l -F -J -L -R',
  sudo: '-u -g -C -h',
  doas: '-u -C',
  nice: '-n',
  ionice: '-c -n',
  env: '-u -C -S',
  timeout: '-k -s --signal --kill-after',
  gtimeout: '-k -s --signal --kill-after',
  xargs: '-n -I -P -L -d -s -a',
  'xvfb-run': '-s -n -e',
  npx: '-p --package -w --workspace --prefix',
  bunx: '-p --package',
  uvx: '--from --with --python -p',
  npm: '--prefix -w --workspace -C',
  pnpm: '--filter -F -C --dir --filter-prod',
  yarn: '--cwd',
  bun: '--cwd --filter -F',
  uv: '--with --python -p --project --extra --group --directory --package --env-file --only-group --with-requirements',
  poetry: '-C --directory -P --project',
  pdm: '-p --project',
  hatch: '-e --env',
  pixi: '-e --environment --manifest-path',
  conda: '-n -p --name --prefix --cwd',
  mamba: '-n -p',
  micromamba: '-n -p',
  mise: '-C --cd',
  docker: '-e -w -u --env --workdir --user --env-file -f --file -p --project-name --profile --name -v --volume',
  podman: '-e -w -u --env --workdir --user',
  kubectl: '-n --namespace -c --container --context',
  just: '-f --justfile -d --working-directory --set',
  make: '-C -f -I -o -W --directory --file',
  gmake: '-C -f --directory --file',
  ninja: '-C -f -j',
  cargo: '--manifest-path --color --config -Z',
  go: '-C',
  git: '-C -c --git-dir --work-tree',
  mvn: '-f -pl -P -T -s --file --projects -rf',
  mvnw: '-f -pl -P -T -s --file --projects -rf',
  gradle: '-p -b -c --project-dir -x --tests -I',
  gradlew: '-p -b -c --project-dir -x --tests -I',
  nx: '--project --projects --configuration',
  turbo: '--filter -F --cwd',
  task: '-d -t --dir --taskfile',
  rake: '-f -C',
  composer: '-d --working-dir',
  tmux: '-L -S -f',
});
const ASSIGNS = /^[A-Za-z_]\w*=/;
const PYTHON = /^(?:python|pypy)(?:\d+(?:\.\d+)?)?$|^py$/;

/** Returns a simple command without its wrappers. Several rules need it for each line (segments.ts), so the segment caches the result. */
export function unwrapped(segment: SimpleCommand): Unwrapped {
  segment.unwrapped ??= unwrap(segment.words);
  return segment.unwrapped;
}

/** Reduces `FOO=1 timeout 60 uv run python -m pytest -q` to `pytest -q`. */
function unwrap(given: readonly string[]): Unwrapped {
  let rest = given;
  let limit = 0;
  let loop = false;
  for (let round = 0; round < 12; round++) {
    rest = assignmentsGone(rest);
    const first = rest[0] ?? '';
    // `(cd x` and `{npm`: the bracket sticks to the word
    if (/^[({]./.test(first) || first === '&') {
      rest = first === '&' ? rest.slice(1) : [first.slice(1), ...rest.slice(1)];
      continue;
    }
    const program = programName(first);
    const line = scriptOf(program, rest);
    if (line !== undefined) return { words: rest, limit, loop, line };
    if (PREFIXES.has(program)) {
      loop ||= program === 'while' || program === 'until' || program === 'do';
      let after = optionsGone(program, rest.slice(1));
      if (program === 'timeout' || program === 'gtimeout') {
        if (!/^\d/.test(after[0] ?? '')) break;
        limit += secondsIn(after[0] ?? '');
        after = after.slice(1);
      }
      // `rtk test npm test` shortens the output of the rest
      if (program === 'rtk' && after.length > 1 && /^(?:test|lint|err|summary)$/.test(after[0] ?? ''))
        after = after.slice(1);
      if (program === 'pipx') after = after.slice(1);
      if (program === 'doppler' || program === 'op')
        after = after[0] === 'run' ? optionsGone(program, after.slice(1)) : [];
      if (after.length === 0) break;
      rest = after;
      continue;
    }
    if (PYTHON.test(program) || program === 'coverage') {
      const module = pythonModule(program, rest);
      if (module === null) break;
      rest = module;
      continue;
    }
    const started = startedBy(program, rest);
    if (started === null) break;
    rest = started;
  }
  // `npm test)` ends a subshell
  const all = rest.length > 0 ? rest : [''];
  return { words: all.some((word) => word.includes(')')) ? all.map(closed) : all, limit, loop };
}

/** Removes variable assignments; `x=$(git log -1)` becomes `git log -1`, and so does PowerShell's `$x = git log -1`. */
function assignmentsGone(given: readonly string[]): readonly string[] {
  let rest = given;
  while (rest.length > 0) {
    const first = rest[0] ?? '';
    const inner = /^[A-Za-z_]\w*="?\$\(([^()]+)$/.exec(first)?.[1];
    if (inner !== undefined) return [inner, ...rest.slice(1)];
    if (ASSIGNS.test(first)) rest = rest.slice(1);
    else if (/^\$[\w:]+$/.test(first) && rest[1] === '=') rest = rest.slice(2);
    else break;
  }
  return rest;
}

function closed(word: string): string {
  return /^[^(]*\)"?$/.test(word) ? word.replace(/\)"?$/, '') : word;
}

/** Returns the words after the options of a program and the values of those options; a `--` ends the options. */
export function optionsGone(program: string, rest: readonly string[]): readonly string[] {
  const valued = VALUED.get(program);
  let at = 0;
  while (at < rest.length) {
    const word = rest[at] ?? '';
    if (word === '--') return rest.slice(at + 1);
    if (ASSIGNS.test(word) || /^\+[a-z]/.test(word)) at++;
    else if (word.length > 1 && word.startsWith('-')) at += valued?.has(word) === true ? 2 : 1;
    else break;
  }
  return rest.slice(at);
}

function startedBy(program: string, rest: readonly string[]): readonly string[] | null {
  const starters = STARTERS.get(program);
  if (starters === undefined) return null;
  let after = optionsGone(program, rest.slice(1));
  if ((program === 'docker' || program === 'podman') && after[0] === 'compose')
    after = optionsGone(program, after.slice(1));
  if (!starters.has(after[0] ?? '')) return null;
  if (program === 'corepack') return after;
  after = optionsGone(program, after.slice(1)).slice(PLACED.has(program) ? 1 : 0);
  // `kubectl exec pod -- pytest`
  if (after[0] === '--') after = after.slice(1);
  return after.length === 0 ? null : after;
}

/** Reduces `python -m pytest` to pytest; a script remains unchanged. */
function pythonModule(program: string, rest: readonly string[]): readonly string[] | null {
  let at = 1;
  if (program === 'coverage') at = rest[1] === 'run' ? 2 : rest.length;
  while (/^-(?:[bBdEiIOqsSuv]+|[WX].*)$/.test(rest[at] ?? '')) at += /^-[WX]$/.test(rest[at] ?? '') ? 2 : 1;
  // options of coverage itself precede its `-m`
  if (program === 'coverage') at += rest.slice(at).findIndex((word) => word === '-m' || !word.startsWith('-'));
  return rest[at] === '-m' && rest[at + 1] !== undefined ? rest.slice(at + 1) : null;
}

const SHELLS = words('bash sh zsh dash ksh fish');
const POWERSHELLS = words('powershell pwsh');

function scriptOf(program: string, rest: readonly string[]): string | undefined {
  if (SHELLS.has(program)) {
    const at = rest.findIndex((word, index) => index > 0 && /^-[a-z]*c$/.test(word));
    return at > 0 && at <= 4 ? unescaped(rest[at + 1]) : undefined;
  }
  if (POWERSHELLS.has(program)) {
    const at = rest.findIndex((word) => /^-c(?:ommand)?$/i.test(word));
    return at > 0 ? unescaped(rest.slice(at + 1).join(' ')) : undefined;
  }
  if (program === 'cmd') {
    const at = rest.findIndex((word) => /^\/[ck]$/i.test(word));
    return at > 0 ? rest.slice(at + 1).join(' ') : undefined;
  }
  if (program === 'eval') return rest.slice(1).join(' ');
  if (program === 'ssh') {
    const after = optionsGone(program, rest.slice(1));
    return after.length > 1 ? after.slice(1).join(' ') : undefined;
  }
  return undefined;
}

function unescaped(text: string | undefined): string | undefined {
  return text?.replace(/\\(["$`\\])/g, '$1').replace(/^(["'])([\s\S]*)\1$/, '$2');
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns the seconds of `30`, `1.5`, `2m`, `1h`; 0 for anything else. */
export function secondsIn(word: string): number {
  const found = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h|d)?$/.exec(word);
  return found ? Number(found[1]) * (UNITS[found[2] ?? 's'] ?? 1) : 0;
}
