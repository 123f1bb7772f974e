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
  not: { fork: 'Copilot CLI has no way to copy a session.' },
  noThinking: 'Copilot CLI is not known to take an effort on its command line.',
};
