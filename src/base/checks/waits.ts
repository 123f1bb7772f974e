import { remembered } from '../util/remembered';
import { optionsGone, secondsIn } from './shell/unwrap';
import { programName, words } from './shell/words';

/**
 * Tools that only wait, or query the progress of something that runs, by name in lower case without `_` and `-`: background commands of Claude Code
 * (BashOutput, TaskOutput), terminals of Codex (write_stdin, wait), Copilot (read_bash, read_powershell, read_agent), Gemini and Qwen, Cline and Roo
 * Code (getTerminalOutput), OpenHands, Cursor (AwaitShell), and sub-agents of all of them.
 */
export const WAIT_TOOLS: readonly string[] = [
  ...words(`sleep wait waitagent waitfor bashoutput taskoutput poll processpoll commandstatus readprocessoutput readterminaloutput
    getterminaloutput readbash writestdin getcommandoutput agentoutput monitor waitforbackgroundterminal readshell awaitshell`),
];

/** Tools that wait only when they send nothing, or an empty line, to a running program, each with the key that holds the text to send. */
const SENDS: readonly (readonly [string, string])[] = [
  ['writestdin', 'chars'],
  ['writebash', 'input'],
  ['writepowershell', 'input'],
  ['bashcommand', 'keystrokes'],
  ['sendkeys', 'keys'],
  ['executebash', 'command'],
];
const SENT: ReadonlyMap<string, string> = new Map(SENDS);
const ALWAYS = new Set(WAIT_TOOLS.filter((name) => name !== 'writestdin'));

/** Returns whether a call of this tool, which runs no command itself, only lets time pass or polls something. */
export function isWaitCall(tool: string, args: unknown): boolean {
  const name = bareName(tool);
  if (ALWAYS.has(name)) return true;
  const key = SENT.get(name);
  if (key === undefined || typeof args !== 'object' || args === null) return false;
  const sent = (args as Record<string, unknown>)[key];
  // Codex omits the field where nothing is sent
  return typeof sent === 'string' ? sent.trim() === '' : sent === undefined && name === 'writestdin';
}

/** A script that sends an empty line to a running program and prints its output. */
const WAIT_SCRIPT = /^[^;{}]{0,80}\btools\.write_stdin\(\{[^{}]{0,200}\bchars:\s{0,4}(?:""|''|``)[^{}]{0,200}\}\)/;

/** Returns whether a script of Codex's code mode only polls a running program. */
export function isWaitScript(script: string): boolean {
  return script.includes('tools.') && WAIT_SCRIPT.test(script.trim()) && script.split('tools.').length === 2;
}

/** Returns the name without its server or namespace, in lower case without `_`, `-` and blanks. An agent has a few dozen and calls them constantly. */
const bareName = remembered(
  (tool) =>
    tool
      .slice(-120)
      .replace(/^.*[.:/]|^mcp__.{1,80}?__/, '')
      .toLowerCase()
      .replace(/[_\-\s]/g, ''),
  { most: 256, longest: 120 },
);

/** Programs that wait, or query what is running and how far it is. */
const PROGRAMS =
  words(`sleep wait start-sleep usleep ps pgrep pidof pidwait jobs top htop nvidia-smi uptime squeue sacct qstat lsof ss netstat
  get-process get-job wait-process wait-job receive-job tasklist inotifywait watch pg_isready journalctl atq`);

/** Programs that also do other things, with the words after their options that make them a wait, two at most. */
const PARTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    gh: ['run watch', 'run view', 'run list', 'pr checks', 'pr status', 'workflow view'],
    glab: ['ci status', 'ci view', 'ci list', 'pipeline'],
    docker: ['ps', 'wait', 'stats', 'logs', 'top', 'container ls', 'compose ps', 'compose logs', 'compose top'],
    podman: ['ps', 'wait', 'stats', 'logs', 'top'],
    'docker-compose': ['ps', 'logs', 'top'],
    kubectl: ['get', 'wait', 'rollout status', 'logs', 'top', 'describe'],
    oc: ['get', 'wait', 'rollout status', 'logs', 'describe'],
    systemctl: ['status', 'is-active', 'is-failed'],
    service: ['--status-all'],
    supervisorctl: ['status'],
    pm2: ['list', 'ls', 'status', 'logs', 'show'],
    tmux: ['capture-pane', 'list-panes', 'list-sessions', 'list-windows', 'ls', 'has-session'],
    screen: ['-ls', '-list'],
    argocd: ['app get', 'app wait'],
    tkn: ['pipelinerun describe', 'pipelinerun logs', 'pipelinerun list'],
    bk: ['build view', 'build list'],
    'buildkite-agent': ['step get'],
    flyctl: ['status', 'logs'],
    fly: ['logs'],
    vercel: ['inspect', 'logs'],
    netlify: ['watch', 'logs:deploy'],
    heroku: ['ps', 'logs'],
    railway: ['logs'],
    render: ['deploys list', 'logs'],
    wrangler: ['tail', 'deployments list', 'deployments status'],
    doctl: ['apps get-deployment', 'apps list-deployments', 'apps logs'],
    eas: ['build:view', 'build:list'],
    eb: ['health', 'events', 'logs'],
    'redis-cli': ['ping'],
    nc: ['-z', '-zv', '-vz'],
  }),
);
/** Programs whose status is about files. */
const FILES = words('git hg svn jj bzr fossil gh glab npm yarn pnpm cargo service systemctl echo printf test');
/** `aws cloudformation describe-stacks`, `gcloud builds describe`, `az vm wait`, `az pipelines runs show`. */
const CLOUDS = words('aws gcloud az');
const LOG = /\.(?:log|out|err|output)$|(?:^|\/)nohup\.out$/;

/**
 * Returns the seconds for which a simple command without its wrappers says that it waits, 0 where it does not say; null where it neither waits nor
 * polls something running.
 */
export function waitIn(given: readonly string[], limit: number): number | null {
  const program = programName(given[0] ?? '');
  const rest = given.slice(1);
  if (PROGRAMS.has(program)) return requestedSeconds(program, rest) || limit;
  // the usual reason to read the end of a log
  if (program === 'tail' && (rest.some((word) => /^-\d*[fF]$|^--follow/.test(word)) || rest.some(isLog))) return limit;
  if ((program === 'cat' || program === 'get-content') && rest.filter(isPath).every(isLog) && rest.some(isLog))
    return limit;
  if (program === 'kill') return rest[0] === '-0' || (rest[0] === '-s' && rest[1] === '0') ? 0 : null;
  // the one of Windows: `timeout /t 5`
  if (program === 'timeout' && rest.some((word) => /^\/t$/i.test(word)))
    return secondsIn(rest.find((word) => /^\d+$/.test(word)) ?? '');
  const after = optionsGone(program, rest);
  // `worker status`, `queue wait`: every program but those that deal with files queries progress that way
  if ((after[0] === 'status' || after[0] === 'wait') && !FILES.has(program)) return limit || waitOption(rest);
  const line = after.slice(0, 2).join(' ');
  if (PARTS.get(program)?.some((part) => line === part || line.startsWith(`${part} `) || rest[0] === part) === true)
    return limit || waitOption(rest);
  if (
    CLOUDS.has(program) &&
    after.slice(0, 4).some((word) => /^(?:wait|show|describe|describe-[\w-]+|get-[\w-]+)$/.test(word))
  )
    return limit;
  return null;
}

function isPath(word: string): boolean {
  return !word.startsWith('-');
}

function isLog(word: string): boolean {
  return isPath(word) && LOG.test(word);
}

function requestedSeconds(program: string, rest: readonly string[]): number {
  if (program === 'sleep' || program === 'usleep') {
    const all = rest.reduce((sum, word) => sum + secondsIn(word), 0);
    return program === 'usleep' ? all / 1e6 : all;
  }
  if (program === 'start-sleep') {
    const milliseconds = rest.some((word) => /^-m/i.test(word));
    return secondsIn(rest.find((word) => /^\d/.test(word)) ?? '') / (milliseconds ? 1000 : 1);
  }
  return waitOption(rest);
}

/** Reads `--timeout=60s` and `--timeout 60`. */
function waitOption(rest: readonly string[]): number {
  const at = rest.findIndex((word) => word === '--timeout' || word.startsWith('--timeout='));
  if (at < 0) return 0;
  return secondsIn((rest[at] ?? '').split('=')[1] ?? rest[at + 1] ?? '');
}
