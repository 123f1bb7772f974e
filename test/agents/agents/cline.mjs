import { join } from 'node:path';

/** Settings for a provider of the user's own, as `cline auth` writes them. */
const provider = (address) => ({
  version: 1,
  lastUsedProvider: 'openai-compatible',
  providers: {
    'openai-compatible': {
      settings: {
        provider: 'openai-compatible',
        apiKey: 'fake',
        model: 'mock-small',
        baseUrl: `http://${address}/v1`,
      },
      updatedAt: '2026-11-27T00:00:00.000Z',
      tokenSource: 'manual',
    },
  },
});

const shell = (command) => ({ name: 'run_commands', args: { commands: [command] } });

/**
 * Cline's command line without a terminal. Its own check ends the run at five equal calls in a row, so edits come in between here, which that check
 * does not notice.
 */
export const cline = {
  id: 'cline',
  name: 'Cline',
  package: `@cline/cli-${process.platform}-${process.arch}`,
  version: '3.0.65',
  program: (modules) => join(modules, `@cline/cli-${process.platform}-${process.arch}/bin/cline`),
  scope: 'user',

  environment: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
  prepare(sandbox, address) {
    sandbox.write(join(sandbox.home, '.cline/data/settings/providers.json'), JSON.stringify(provider(address)));
  },
  trust: () => 'it approves all tools and runs the hooks of the user’s own folder, as it comes',
  command: (program, prompt) => [program, prompt],
  args: [],
  shell,
  loop: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((turn) => [shell(`echo "attempt ${turn}" >> notes.md`), shell('npm test')]),
  impossible: {
    block: 'its hook can only end the run',
    end: 'no hook runs at the end of a turn that could continue it',
    gate: 'no hook runs at the end of a turn that could continue it',
  },
};
