import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['--model', '{model}'], ['--effort', '{thinking}'], '{args}'] as const;
const STREAM = ['-p', '--output-format', 'stream-json', '--verbose'] as const;

/** `--resume` of a session that still runs is not refused by the program, so the caller must (notes: two processes in one file). */
export const claudeCodeLaunch: LaunchTemplate = {
  program: 'claude',
  terminal: {
    resume: ['--resume', '{session}', ...CHOICE, '{prompt}'],
    fork: ['--resume', '{session}', '--fork-session', ...CHOICE, '{prompt}'],
    fresh: [['--session-id', '{newSession}'], ...CHOICE, '{prompt}'],
  },
  piped: {
    resume: [...STREAM, '--resume', '{session}', ...CHOICE, '{prompt}'],
    fork: [...STREAM, '--resume', '{session}', '--fork-session', ...CHOICE, '{prompt}'],
    fresh: [...STREAM, ['--session-id', '{newSession}'], ...CHOICE, '{prompt}'],
  },
};
