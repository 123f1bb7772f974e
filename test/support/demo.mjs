/**
 * A demo workspace with its own home, in which recorded runs are replayed as if they happened now. After each batch of calls it runs the hook that is
 * really installed in the workspace's Claude settings: none, until the agent is connected.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { projectRoot } from './vscode-host.mjs';

const require = createRequire(import.meta.url);

/** The project that the recorded agents worked on. */
const project = {
  'README.md': '# Demo project\n\nA tiny calculator. Three recorded agents seem to work here.\n',
  'src/calc.py':
    'def add(a, b):\n    return a + b\n\n\ndef total(items):\n    s = 0\n    for i in items:\n        s = s - i\n    return s\n',
  'tests/test_calc.py':
    'import sys\nsys.path.insert(0, "src")\nfrom calc import add, total\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\ndef test_total():\n    assert total([1, 2, 3]) == 6\n',
  'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
  'tools/build.py':
    'import sys\n\nsys.exit("build.py: error: cannot open config/app.yml: No such file or directory")\n',
  '.gitignore': '.claude/settings.local.json\n',
};

/**
 * @param {{ root: string, speed?: number, only?: string[], log?: (text: string) => void }} options
 *   root: an empty folder; speed: 2 plays twice as fast; only: names of the scenarios to play
 */
export function createDemo({ root, speed = 1, only, log = () => {} }) {
  const { Replay, SCENARIOS } = require(join(projectRoot, 'dist/replay.js'));
  const home = join(root, 'home');
  const workspace = join(root, 'calculator');
  fs.mkdirSync(home, { recursive: true });
  for (const [path, text] of Object.entries(project)) {
    fs.mkdirSync(join(workspace, path, '..'), { recursive: true });
    fs.writeFileSync(join(workspace, path), text);
  }
  // A repository, so that Connect can say which of its files git would track.
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid', ...args], { cwd: workspace });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'init');

  const folder = join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
  const transcriptOf = (/** @type {string} */ session) => join(folder, `${session}.jsonl`);
  const port = {
    now: () => Date.now(),
    after: (/** @type {number} */ ms, /** @type {() => void} */ run) => {
      const timer = setTimeout(run, ms);
      return { dispose: () => clearTimeout(timer) };
    },
    append: async (/** @type {string} */ session, /** @type {string} */ lines) => {
      fs.mkdirSync(folder, { recursive: true });
      fs.appendFileSync(transcriptOf(session), lines);
    },
    hook: (/** @type {string} */ session, /** @type {string} */ event, /** @type {object} */ payload) =>
      askHooks({ home, workspace, session, event, payload: { ...payload, transcript_path: transcriptOf(session) } }),
  };

  /** @type {{ name: string, session: string, replay: any }[]} */
  const runs = [];
  return {
    home,
    workspace,
    transcriptOf,
    runs,
    async start() {
      for (const scenario of SCENARIOS) {
        if (only && !only.includes(scenario.name)) continue;
        const session = randomUUID();
        const replay = new Replay(port, {
          scenario,
          recording: fs.readFileSync(join(projectRoot, 'media/demo', scenario.recording), 'utf8'),
          session,
          folder: workspace,
          speed,
          onTaken: () => log(`${scenario.name}: the nudge was taken`),
          onEnd: (/** @type {string} */ how) => log(`${scenario.name}: ${how}`),
        });
        runs.push({ name: scenario.name, session, replay });
        await replay.start();
      }
    },
    stop() {
      for (const run of runs) run.replay.dispose();
    },
  };
}

/**
 * Resolves when a window has activated the extension: an agent that got stuck earlier would be history.
 *
 * @param {string} dir temporary folder of the host
 */
export async function extensionIsActive(dir) {
  const storage = join(dir, 'user/User/globalStorage/unstuck.unstuck/incidents');
  while (!fs.existsSync(storage)) await new Promise((done) => setTimeout(done, 250));
}

/**
 * Runs the commands of an event as Claude Code does: those of the user's, the project's and the project's personal settings, with the
 * payload on standard input. Returns the standard output of the first that prints something.
 *
 * @param {{ home: string, workspace: string, session: string, event: string, payload: object, env?: Record<string, string> }} call
 * @returns {Promise<string>}
 */
async function askHooks({ home, workspace, session, event, payload, env = {} }) {
  for (const file of [
    join(home, '.claude/settings.json'),
    join(workspace, '.claude/settings.json'),
    join(workspace, '.claude/settings.local.json'),
  ]) {
    for (const command of commandsOf(file, event)) {
      const answer = await run(command, JSON.stringify(payload), {
        PATH: process.env.PATH ?? '',
        HOME: home,
        CLAUDE_PROJECT_DIR: workspace,
        CLAUDE_CODE_SESSION_ID: session,
        CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
        ...env,
      });
      if (answer !== '') return answer;
    }
  }
  return '';
}

/** @param {string} file @param {string} event @returns {string[]} */
function commandsOf(file, event) {
  let settings;
  try {
    settings = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  const entries = settings.hooks?.[event];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => (entry.hooks ?? []).map((/** @type {any} */ hook) => hook.command)).filter(Boolean);
}

/** @param {string} command @param {string} input @param {Record<string, string>} env @returns {Promise<string>} */
function run(command, input, env) {
  return new Promise((done) => {
    const child = spawn('sh', ['-c', command], { env, cwd: env.CLAUDE_PROJECT_DIR, stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    // A hook may exit without reading its payload.
    child.stdin.on('error', () => {});
    child.on('error', () => done(''));
    child.on('close', () => {
      clearTimeout(timer);
      done(output);
    });
    child.stdin.end(input);
  });
}
