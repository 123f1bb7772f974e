import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { choices } from './choices.mjs';

/** `run` of OpenCode and of programs built on it, whose folders, files and variables carry their own names. */
const ofFamily = ({ program, prefix, executable, ...own }) => ({
  ...own,
  program: executable,
  scope: 'user',
  stronger: 'mock/mock-large',
  isStronger: (request) => request.model === 'mock-large',

  environment: () => ({
    [`${prefix}_DISABLE_AUTOUPDATE`]: '1',
    [`${prefix}_DISABLE_MODELS_FETCH`]: '1',
    [`${prefix}_DISABLE_LSP_DOWNLOAD`]: '1',
    [`${prefix}_DISABLE_DEFAULT_PLUGINS`]: '1',
    // If there are plugins, it waits at its start for a package meant for plugin authors; without network it tries for a minute.
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
    sandbox.write(join(sandbox.home, `.config/${program}/${program}.json`), `${JSON.stringify(config, null, 2)}\n`);
  },
  trust: () => 'its settings allow all tools, as they come; plugins of the user’s own settings need no trust',
  command: (path, prompt) => [path, 'run', '--format', 'json', prompt],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: [],
  shell: (command) => ({ name: 'bash', args: { command, description: 'Run it' } }),
  /** A run whose turn is aborted within a step ends with 1; between two steps, which is rare, it ends as if there were nothing left to do. */
  stopCodes: [1, 0],
  /** All sessions are in one database. */
  ownFiles: false,
  delegates: (prompt) => ({ name: 'task', args: { description: 'Look', prompt, subagent_type: 'general' } }),
  interactive: {
    command: (path) => [path],
    asking: (path) => [path],
    resuming: (command, session) => [...command, '--session', session],
    /** The user wants to be asked before commands run. */
    prepareAsking(sandbox) {
      const file = join(sandbox.home, `.config/${program}/${program}.json`);
      const config = JSON.parse(readFileSync(file, 'utf8'));
      sandbox.write(file, JSON.stringify({ ...config, permission: { bash: 'ask' } }));
    },
    /** An empty session shows "Ask anything", a reopened one does not. */
    ready: /Ask anything|ctrl\+p commands/,
    /** One Escape only prompts for a second one. */
    interrupt: ['Escape', 'Escape'],
    asks: /Permission required/,
    ownCommands: true,
    compaction: '/compact',
    question: (question) => ({ name: 'question', args: { questions: [choices(question)] } }),
    wakes: program === 'opencode',
    /** Keeps the words of a limit, but not the time at which it opens. */
    hidesUntil: true,
  },
  impossible: {
    gate: 'its `run` waits for no plugin once its turn has ended, and before that no record says that it will end; interactive, the message wakes it',
  },
});

const platform = process.platform === 'win32' ? 'windows' : process.platform;

export const opencode = ofFamily({
  id: 'opencode',
  name: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  executable: (modules) => join(modules, `opencode-${platform}-${process.arch}`, 'bin/opencode'),
  program: 'opencode',
  prefix: 'OPENCODE',
});

/** The newest build for Linux on npm. */
export const kiloCode = ofFamily({
  id: 'kilo-code',
  name: 'Kilo Code',
  package: `@kilocode/cli-${platform}-${process.arch}`,
  version: '7.7.9',
  executable: (modules) => join(modules, `@kilocode/cli-${platform}-${process.arch}`, 'bin/kilo'),
  program: 'kilo',
  prefix: 'KILO',
});
