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
  not: { fork: 'Gemini CLI has no way to copy a session.' },
  noThinking: 'Gemini CLI cannot be told on its command line to think longer.',
};
