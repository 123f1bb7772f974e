import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['-m', '{model}'], '{args}'] as const;

export const qwenLaunch: LaunchTemplate = {
  program: 'qwen',
  terminal: {
    resume: ['--resume', '{session}', ...CHOICE, '-i', '{prompt}'],
    fresh: [...CHOICE, '-i', '{prompt}'],
  },
  piped: {
    resume: ['--resume', '{session}', ...CHOICE, '-p', '{prompt}'],
    fresh: [...CHOICE, '-p', '{prompt}'],
  },
  not: { fork: 'Qwen Code has no way to copy a session.' },
  noThinking: 'Qwen Code cannot be told on its command line to think longer.',
};
