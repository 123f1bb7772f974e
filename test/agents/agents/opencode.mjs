import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** OpenCode's `run`. */
export const opencode = {
  id: 'opencode',
  name: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: (modules) =>
    join(
      modules,
      `opencode-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
      'bin/opencode',
    ),
  scope: 'user',
  stronger: 'mock/mock-large',
  isStronger: (request) => request.model === 'mock-large',

  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    // Where there are plugins, OpenCode waits at its start for a package for their authors; without network it tries for a minute.
    npm_config_fetch_retries: '0',
  }),
  prepare(sandbox, address) {
    const limit = { context: 200_000, output: 8_000 };
    const config = {
      $schema: 'https://opencode.ai/config.json',
      model: 'mock/mock-small',
      small_model: 'mock/mock-small',
      provider: {
        mock: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Mock',
          options: { baseURL: `http://${address}/v1`, apiKey: 'fake' },
          models: {
            'mock-small': { name: 'mock-small', tool_call: true, limit },
            'mock-large': { name: 'mock-large', tool_call: true, limit },
          },
        },
      },
    };
    sandbox.write(join(sandbox.home, '.config/opencode/opencode.json'), `${JSON.stringify(config, null, 2)}\n`);
  },
  trust: () => 'its settings allow all tools, as they come; plugins of the user’s own settings need no trust',
  command: (program, prompt) => [program, 'run', '--format', 'json', prompt],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: [],
  shell: (command) => ({ name: 'bash', args: { command, description: 'Run it' } }),
  /** A run whose turn is aborted within a step ends with 1; between two steps, which is rare, it ends as if nothing were left to do. */
  stopCodes: [1, 0],
  /** All sessions lie in one database. */
  ownFiles: false,
  interactive: {
    command: (program) => [program],
    asking: (program) => [program],
    resuming: (command, session) => [...command, '--session', session],
    /** The user wants to be asked before commands. */
    prepareAsking(sandbox) {
      const file = join(sandbox.home, '.config/opencode/opencode.json');
      const config = JSON.parse(readFileSync(file, 'utf8'));
      sandbox.write(file, JSON.stringify({ ...config, permission: { bash: 'ask' } }));
    },
    /** An empty session asks, one that is opened again does not. */
    ready: /Ask anything|ctrl\+p commands/,
    /** One Escape asks for a second one. */
    interrupt: ['Escape', 'Escape'],
    asks: /Permission required/,
    wakes: true,
  },
  impossible: {
    gate: '`opencode run` waits for no plugin once its turn has ended, and before that no record says that it will end; interactive, the message wakes it',
  },
};
