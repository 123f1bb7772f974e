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
  not: { fork: 'Qwen Code cannot copy a session.' },
  noThinking: 'The command line of Qwen Code has no option for more thinking.',
};
