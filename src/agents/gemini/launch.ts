import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['-m', '{model}'], '{args}'] as const;
const STREAM = ['--output-format', 'stream-json'] as const;

export const geminiLaunch: LaunchTemplate = {
  program: 'gemini',
  terminal: {
    resume: ['--resume', '{session}', ...CHOICE, '-i', '{prompt}'],
    fresh: [...CHOICE, '-i', '{prompt}'],
  },
  piped: {
    resume: ['--resume', '{session}', ...CHOICE, ...STREAM, '-p', '{prompt}'],
    fresh: [...CHOICE, ...STREAM, '-p', '{prompt}'],
  },
  not: { fork: 'Gemini CLI cannot copy a session.' },
  noThinking: 'The command line of Gemini CLI has no option for more thinking.',
};
