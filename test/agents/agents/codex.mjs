import { join } from 'node:path';

/** Codex in exec mode, with a model whose tools are commands (the newest of its catalogue run everything inside a script). */
export const codex = {
  id: 'codex',
  name: 'Codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: (modules) => [process.execPath, join(modules, '@openai/codex/bin/codex.js')],
  scope: 'user',
  models: { usual: 'gpt-5.5', stronger: 'gpt-5.5-pro' },

  environment: () => ({ MOCK_API_KEY: 'fake' }),
  prepare(sandbox, port) {
    sandbox.write(
      join(sandbox.home, '.codex/config.toml'),
      [
        'model_provider = "mock"',
        'model = "gpt-5.5"',
        'check_for_update_on_startup = false',
        '[model_providers.mock]',
        'name = "mock"',
        `base_url = "http://127.0.0.1:${port}/v1"`,
        'env_key = "MOCK_API_KEY"',
        'wire_api = "responses"',
        `[projects."${sandbox.workspace}"]`,
        'trust_level = "trusted"',
        '',
      ].join('\n'),
    );
  },
  trust: () => 'the user trusts the project and allows all commands',
  command: (program, prompt) => [...program, 'exec', '--dangerously-bypass-approvals-and-sandbox', '--json', prompt],
  shell: (command) => ({ name: 'exec_command', args: { cmd: command } }),
  impossible: {},
};
