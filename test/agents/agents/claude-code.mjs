import { join } from 'node:path';

import { choices } from './choices.mjs';

const KEY = 'sk-ant-fake-000000000000000000000000';

/** Claude Code in print mode. Its hooks need no trust there; in interactive mode the folder's trust dialog would come first. */
export const claudeCode = {
  id: 'claude-code',
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.329',
  /** The oldest version that Unstuck says it was tested with (src/agents/claude-code/descriptor.ts). */
  oldest: '2.1.278',
  program: (modules) =>
    join(
      modules,
      `@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
      process.platform === 'win32' ? 'claude.exe' : 'claude',
    ),
  scope: 'project',
  stronger: 'opus',
  isStronger: (request) => request.model.includes('opus') && request.body.output_config?.effort === 'high',

  environment: (_sandbox, address) => ({
    ANTHROPIC_BASE_URL: `http://${address}`,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }),
  prepare() {},
  /** The user allows the shell for this project, as in the permission dialog with "don't ask again". */
  trust: () => 'the user allows Bash in the command line; hooks of print mode need no trust',
  command: (program, prompt) => [program, '-p', prompt, '--model', 'sonnet', '--allowedTools', 'Bash'],
  /** Further arguments of the user for each start: the machine setting `unstuck.launch`. */
  args: ['--allowedTools', 'Bash'],
  shell: (command) => ({ name: 'Bash', args: { command, description: 'Run it' } }),
  delegates: (prompt) => ({
    name: 'Agent',
    args: { description: 'Look', prompt, subagent_type: 'general-purpose', run_in_background: false },
  }),
  entersWorktree: { name: 'EnterWorktree', args: { name: 'fix' } },
  supervised: {
    command: (program) => [
      program,
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      '--model',
      'sonnet',
      '--allowedTools',
      'Bash',
    ],
    begin({ child }, prompt) {
      child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`);
    },
  },
  interactive: {
    command: (program) => [program, '--model', 'sonnet', '--permission-mode', 'default', '--allowedTools', 'Bash'],
    asking: (program) => [program, '--model', 'sonnet', '--permission-mode', 'default'],
    planning: (program) => [program, '--model', 'sonnet', '--permission-mode', 'plan'],
    resuming: (command, session) => [...command, '--resume', session],
    /** Writes what its first-start dialogs write: theme, key, trust of the folder. */
    prepare(sandbox) {
      const known = {
        hasCompletedOnboarding: true,
        theme: 'dark',
        numStartups: 5,
        customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
        projects: Object.fromEntries(
          sandbox.folders.map((folder) => [
            folder,
            { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true },
          ]),
        ),
      };
      sandbox.write(join(sandbox.home, '.claude.json'), JSON.stringify(known));
    },
    /** Writes what a login with a plan leaves behind: only then does the CLI mention the limits of a plan. */
    prepareOnPlan(sandbox) {
      const claudeAiOauth = {
        accessToken: 'sk-ant-oat01-fake',
        refreshToken: 'sk-ant-ort01-fake',
        expiresAt: Date.now() + 30 * 24 * 3_600_000,
        scopes: ['user:inference', 'user:profile'],
        subscriptionType: 'max',
        rateLimitTier: 'default_claude_max_5x',
      };
      sandbox.write(join(sandbox.home, '.claude/.credentials.json'), JSON.stringify({ claudeAiOauth }));
      return { ANTHROPIC_API_KEY: undefined };
    },
    /** A hook that sends it back is identified by its command; after this many blocks in a row the CLI ends the turn. */
    namesHook: 'The changelog is missing',
    blockCap: 9,
    atLimit: /continuing automatically/i,
    movedBy: { variable: 'CLAUDE_CONFIG_DIR', files: [['.claude.json', '.claude.json']] },
    ready: /❯/,
    asks: /Do you want to proceed|1\. Yes/,
    wakes: true,
    inBackground: (command) => ({ name: 'Bash', args: { command, description: 'Run it', run_in_background: true } }),
    /** The CLI reports the end of its own background tasks; not that of background jobs of the shell. */
    leavesBehind: (command) => ({
      name: 'Bash',
      args: { command: `(${command}) > build.log 2>&1 &`, description: 'Build' },
    }),
    clears: '/clear',
    ownCommands: true,
    compaction: '/compact',
    question: (question) => ({
      name: 'AskUserQuestion',
      args: { questions: [{ ...choices(question), multiSelect: false }] },
    }),
    showsPlan: /Exit plan mode\?|Would you like to proceed/,
    proposes: (plan) => ({ name: 'ExitPlanMode', args: { plan } }),
    subAgent: (prompt) => ({
      name: 'Agent',
      args: { description: 'Watch', prompt, subagent_type: 'general-purpose', run_in_background: true },
    }),
  },
  impossible: {},
};
