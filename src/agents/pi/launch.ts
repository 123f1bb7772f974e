import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['--model', '{model}'], ['--thinking', '{thinking}'], '{args}'] as const;

export const piLaunch: LaunchTemplate = {
  program: 'pi',
  terminal: {
    resume: ['--session', '{session}', ...CHOICE, '{prompt}'],
    fork: ['--fork', '{session}', ...CHOICE, '{prompt}'],
    fresh: [...CHOICE, '{prompt}'],
  },
  piped: {
    resume: ['-p', '--session', '{session}', ...CHOICE, '{prompt}'],
    fork: ['-p', '--fork', '{session}', ...CHOICE, '{prompt}'],
    fresh: ['-p', ...CHOICE, '{prompt}'],
  },
};
