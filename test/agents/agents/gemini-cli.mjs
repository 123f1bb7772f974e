import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const shell = (command) => ({ name: 'run_shell_command', args: { command, description: 'Run it' } });

/**
 * Gemini CLI without a terminal. Its own check ends the run at five equal calls in a row, so edits come in between here, which that check does not
 * notice.
 */
export const geminiCli = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: (modules) => join(modules, '.bin/gemini'),
  scope: 'user',
  stronger: 'gemini-2.5-pro',
  isStronger: (request) => request.model === 'gemini-2.5-pro',

  environment: (_sandbox, address) => ({
    GEMINI_API_KEY: 'fake',
    GOOGLE_GEMINI_BASE_URL: `http://${address}`,
  }),
  prepare(sandbox) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      // By default it first asks another model which model to use.
      model: { name: 'gemini-2.5-flash' },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
    };
    sandbox.write(join(sandbox.home, '.gemini/settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
  },
  /** Writes what the folder trust dialog writes. */
  trust(sandbox) {
    const file = join(sandbox.home, '.gemini/trustedFolders.json');
    sandbox.write(
      file,
      `${JSON.stringify(Object.fromEntries(sandbox.folders.map((folder) => [folder, 'TRUST_FOLDER'])))}\n`,
    );
    return 'the user trusts the folder (trustedFolders.json, as the dialog writes it) and allows all tools';
  },
  command: (program, prompt) => [
    program,
    '--yolo',
    '-m',
    'gemini-2.5-flash',
    '--output-format',
    'stream-json',
    '-p',
    prompt,
  ],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: ['--yolo'],
  shell,
  loop: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((turn) => [shell(`echo "attempt ${turn}" >> notes.md`), shell('npm test')]),
  delegates: (prompt) => ({ name: 'invoke_agent', args: { agent_name: 'generalist', prompt } }),
  interactive: {
    command: (program) => [program, '--yolo', '-m', 'gemini-2.5-flash'],
    asking: (program) => [program, '-m', 'gemini-2.5-flash'],
    resuming: (command, session) => [...command, '--resume', session],
    /** Writes what its questions about the keys of VS Code's terminal and about its own extension write once they have been shown. */
    prepareInVSCode(sandbox) {
      sandbox.write(join(sandbox.home, '.gemini/state.json'), '{ "terminalSetupPromptShown": true }\n');
      const file = join(sandbox.home, '.gemini/settings.json');
      const settings = { ...JSON.parse(readFileSync(file, 'utf8')), ide: { enabled: false, hasSeenNudge: true } };
      sandbox.write(file, `${JSON.stringify(settings, null, 2)}\n`);
    },
    ready: /Type your message/,
    asks: /Allow execution|Allow once/,
    ownCommands: true,
    /** Its prompt stays in shell mode. */
    staysInShell: true,
    wakes: false,
  },
  /** Without a terminal it prints what went wrong, but does not write it to a file. */
  failsSilently: true,
  impossible: {
    error: 'it asks again for more than five minutes, and writes nothing of that',
    limit: 'it asks in a dialog whether to keep trying, and writes nothing of that',
    fork: 'it has no way to copy a session',
    'supervisor-fork': 'it has no way to copy a session',
  },
};
