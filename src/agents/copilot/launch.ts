import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['--model', '{model}'], '{args}'] as const;

export const copilotLaunch: LaunchTemplate = {
  program: 'copilot',
  terminal: {
    resume: ['--resume={session}', ...CHOICE, '-i', '{prompt}'],
    fresh: [...CHOICE, '-i', '{prompt}'],
  },
  piped: {
    resume: ['--resume={session}', ...CHOICE, '-p', '{prompt}'],
    fresh: [...CHOICE, '-p', '{prompt}'],
  },
  not: { fork: 'Copilot CLI cannot copy a session.' },
  noThinking: 'The command line of Copilot CLI has no known option for more thinking.',
};
