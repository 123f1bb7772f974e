import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['--model', '{model}'], ['--effort', '{thinking}'], '{args}'] as const;
/** Options that take several values, such as `--allowedTools`, would swallow a prompt that follows them. */
const PROMPT = ['--', '{prompt}'] as const;
const STREAM = ['-p', '--output-format', 'stream-json', '--verbose'] as const;

/** The program does not refuse `--resume` for a session that is still running; two processes would write one file. So the caller must refuse it. */
export const claudeCodeLaunch: LaunchTemplate = {
  program: 'claude',
  terminal: {
    resume: ['--resume', '{session}', ...CHOICE, ...PROMPT],
    fork: ['--resume', '{session}', '--fork-session', ...CHOICE, ...PROMPT],
    fresh: [['--session-id', '{newSession}'], ...CHOICE, ...PROMPT],
  },
  piped: {
    resume: [...STREAM, '--resume', '{session}', ...CHOICE, ...PROMPT],
    fork: [...STREAM, '--resume', '{session}', '--fork-session', ...CHOICE, ...PROMPT],
    fresh: [...STREAM, ['--session-id', '{newSession}'], ...CHOICE, ...PROMPT],
  },
};
