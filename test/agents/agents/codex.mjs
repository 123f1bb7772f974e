import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { choices } from './choices.mjs';
import { until } from '../support/wait.mjs';

const startsSubAgent = (message) => ({ namespace: 'multi_agent_v1', name: 'spawn_agent', args: { message } });

/** Codex in exec mode, with a model whose tools are commands (the newest models of its catalogue run everything inside a script). */
export const codex = {
  id: 'codex',
  name: 'Codex',
  package: '@openai/codex',
  version: '0.169.0',
  /** The oldest version that Unstuck says it was tested with (src/agents/codex/descriptor.ts). */
  oldest: '0.157.0',
  program: (modules) => join(modules, '.bin/codex'),
  scope: 'user',
  stronger: 'gpt-5.4',
  isStronger: (request) => request.model === 'gpt-5.4' && request.body.reasoning?.effort === 'high',

  environment: () => ({ MOCK_API_KEY: 'fake' }),
  prepare(sandbox, address) {
    sandbox.write(
      join(sandbox.home, '.codex/config.toml'),
      [
        'model_provider = "mock"',
        'model = "gpt-5.5"',
        'check_for_update_on_startup = false',
        '[model_providers.mock]',
        'name = "mock"',
        `base_url = "http://${address}/v1"`,
        'env_key = "MOCK_API_KEY"',
        'wire_api = "responses"',
        ...sandbox.folders.flatMap((folder) => [`[projects."${folder}"]`, 'trust_level = "trusted"']),
        '',
      ].join('\n'),
    );
  },
  /** Writes what its dialog "Hooks need review" writes after "Trust all and continue": the hash by which Codex itself identifies each hook. */
  async trust(sandbox, { program, env }) {
    const hooks = await listHooks(sandbox, program, env);
    const trusted = hooks.map(
      ({ key, currentHash }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
    );
    appendFileSync(join(sandbox.home, '.codex/config.toml'), trusted.join('\n'));
    return `the user trusts the project and the ${hooks.length} hooks (hooks.state in config.toml, as the dialog writes it), and allows all commands`;
  },
  command: (program, prompt) => [program, 'exec', '--dangerously-bypass-approvals-and-sandbox', '--json', prompt],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: ['--dangerously-bypass-approvals-and-sandbox'],
  shell: (command) => ({ name: 'exec_command', args: { cmd: command } }),
  delegates: startsSubAgent,
  /** A change of model may compact the history before the session continues. */
  compacts: true,
  supervised: {
    command: (program) => [program, 'app-server'],
    async begin(running, prompt, { workspace }) {
      const ask = askServer(running);
      await ask('initialize', { clientInfo: { name: 'test', version: '1' } });
      running.child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
      const { thread } = await ask('thread/start', {
        cwd: workspace,
        approvalPolicy: 'never',
        sandbox: 'danger-full-access',
      });
      await ask('turn/start', { threadId: thread.id, input: [{ type: 'text', text: prompt, text_elements: [] }] });
    },
    /** It is a server: it keeps running when a turn is stopped. */
    lives: true,
  },
  interactive: {
    command: (program) => [program, '--dangerously-bypass-approvals-and-sandbox'],
    resuming: ([program, ...options], session) => [program, 'resume', ...options, session],
    asking: (program) => [program, '--ask-for-approval', 'on-request', '--sandbox', 'read-only'],
    /** The model requests permission itself: it wants to leave the sandbox. */
    askingCall: (command) => ({
      name: 'exec_command',
      args: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'The test writes a file.' },
    }),
    /** Writes what its offer of a newer model writes when it is declined. */
    prepare(sandbox) {
      const notices =
        '[tui]\nscreen_reader_detection_done = true\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n';
      appendFileSync(join(sandbox.home, '.codex/config.toml'), notices);
    },
    /** A hook that sends it back is identified by its file. */
    namesHook: '.codex/hooks.json',
    /** A command is handed back as running after a second, and its end is reported to no one. */
    leavesBehind: (cmd) => ({ name: 'exec_command', args: { cmd, yield_time_ms: 1_000 } }),
    /** Its end is written into the history, and the model is not called. */
    leavesSubAgent: startsSubAgent,
    ownCommands: true,
    compaction: '/compact',
    /** Its model may ask questions only in plan mode. */
    questionMode: { command: '/plan', shown: /plan mode/i },
    question: (question) => ({
      name: 'request_user_input',
      args: { questions: [{ ...choices(question), id: 'shop' }] },
    }),
    movedBy: { variable: 'CODEX_HOME', files: [['.codex', '.']] },
    ready: /context left|\? for shortcuts|send a message|Ask Codex/i,
    asks: /Would you like to run|Yes, proceed/,
    wakes: false,
  },
  impossible: {
    stop: 'its hooks cannot end a turn; the supervisor does it',
    fork: 'it forks a session in a terminal only; the supervisor does it through its server',
  },
};

/** The hooks that Codex finds, as its app server lists them. */
async function listHooks(sandbox, program, env) {
  const server = sandbox.start([program, 'app-server'], { env, input: 'pipe' });
  const ask = askServer(server);
  await ask('initialize', { clientInfo: { name: 'test', version: '1' } });
  server.child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
  const { data } = await ask('hooks/list', { cwds: [sandbox.workspace] });
  server.child.kill();
  await server.ended;
  return data.flatMap(({ hooks }) => hooks);
}

/** Sends requests to an app server over its standard streams. */
function askServer(running) {
  let id = 0;
  return async (method, params) => {
    const own = ++id;
    running.child.stdin.write(`${JSON.stringify({ id: own, method, params })}\n`);
    const answer = await until(`the answer to ${method}`, () => {
      const lines = running.stdout.split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line)).find((line) => line.id === own && line.method === undefined);
    });
    if (!answer.result) throw new Error(`Codex refused ${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };
}
