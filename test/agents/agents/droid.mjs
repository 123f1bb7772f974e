import { join } from 'node:path';

/** Droid without a terminal, with a model of the user's own. Its own reminder comes at the third equal call and ends nothing. */
export const droid = {
  id: 'droid',
  name: 'Droid',
  package: 'droid',
  version: '0.215.0',
  /** Package of its newer versions. */
  newest: `@factory/cli-${process.platform}-${process.arch}`,
  program: (modules) => join(modules, `@factory/cli-${process.platform}-${process.arch}/bin/droid`),
  scope: 'user',

  environment: () => ({}),
  prepare(sandbox, address) {
    const model = {
      model: 'mock-small',
      id: 'custom:mock-0',
      displayName: 'Mock',
      baseUrl: `http://${address}/v1`,
      apiKey: 'fake',
      provider: 'generic-chat-completion-api',
      maxOutputTokens: 8_000,
    };
    sandbox.write(join(sandbox.home, '.factory/settings.json'), JSON.stringify({ customModels: [model] }));
  },
  trust: () => 'the user allows all tools (--skip-permissions-unsafe); hooks of the user’s own settings need no trust',
  command: (program, prompt) => [program, 'exec', '-m', 'custom:mock-0', '--skip-permissions-unsafe', prompt],
  args: ['--skip-permissions-unsafe'],
  shell: (command) => ({
    name: 'Execute',
    args: { command, summary: 'Run it', timeout: 60, riskLevel: { value: 'low', reason: 'A test' } },
  }),
  impossible: {},
  missing: { gate: 'its hook does not wait for the quality gates' },
};
