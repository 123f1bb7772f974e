import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copilot CLI with a provider of the user's own. */
export const copilotCli = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  program: (modules) => join(modules, '.bin/copilot'),
  scope: 'user',
  stronger: 'mock-large',
  isStronger: (request) => request.model === 'mock-large',

  environment: (_sandbox, address) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `http://${address}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'fake',
    COPILOT_MODEL: 'mock-small',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  prepare() {},
  /** Writes what its folder trust dialog writes; without it the project's hooks are not loaded. */
  trust(sandbox) {
    sandbox.write(
      join(sandbox.home, '.copilot/config.json'),
      `${JSON.stringify({ trusted_folders: sandbox.folders })}\n`,
    );
    return 'the user trusts the folder (trusted_folders in config.json, as the dialog writes it) and allows all tools';
  },
  command: (program, prompt) => [program, '--allow-all-tools', '--no-auto-update', '-p', prompt],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: ['--allow-all-tools', '--no-auto-update'],
  shell: (command) => ({ name: 'bash', args: { command, description: 'Run it' } }),
  delegates: (prompt) => ({
    name: 'task',
    args: { description: 'Look', prompt, agent_type: 'general-purpose', name: 'looker' },
  }),
  interactive: {
    command: (program) => [program, '--allow-all-tools', '--no-auto-update'],
    asking: (program) => [program, '--no-auto-update'],
    resuming: (command, session) => [...command, `--resume=${session}`],
    /** Writes what its question about the keys of VS Code's terminal writes when it is declined. */
    prepareInVSCode(sandbox) {
      const file = join(sandbox.home, '.copilot/config.json');
      const config = JSON.parse(readFileSync(file, 'utf8'));
      sandbox.write(file, `${JSON.stringify({ ...config, asked_setup_terminals: ['vscode'] })}\n`);
    },
    ready: /\? help|Type @/,
    /** One Escape only prompts for a second one. */
    interrupt: ['Escape', 'Escape'],
    asks: /Do you want to run|1\. Yes/,
    wakes: false,
    /** Keeps the words of a limit of the user's own provider, but not the time at which it opens. */
    hidesUntil: true,
    ownCommands: true,
    compaction: '/compact',
    question: (message) => {
      const shop = { type: 'string', enum: ['This one', 'Another'] };
      const requestedSchema = { type: 'object', properties: { shop }, required: ['shop'] };
      return { name: 'ask_user', args: { message, requestedSchema } };
    },
  },
  impossible: {
    fork: 'it has no way to copy a session',
    'supervisor-fork': 'it has no way to copy a session',
  },
};
