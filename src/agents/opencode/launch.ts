import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['-m', '{model}'], '{args}'] as const;
const RUN = ['run', '--format', 'json'] as const;

export const opencodeLaunch: LaunchTemplate = {
  program: 'opencode',
  terminal: {
    resume: ['--session', '{session}', ...CHOICE, '--prompt', '{prompt}'],
    fork: ['--session', '{session}', '--fork', ...CHOICE, '--prompt', '{prompt}'],
    fresh: [...CHOICE, '--prompt', '{prompt}'],
  },
  piped: {
    resume: [...RUN, '--session', '{session}', ...CHOICE, ['--variant', '{thinking}'], '{prompt}'],
    fork: [...RUN, '--session', '{session}', '--fork', ...CHOICE, ['--variant', '{thinking}'], '{prompt}'],
    fresh: [...RUN, ...CHOICE, ['--variant', '{thinking}'], '{prompt}'],
  },
  noThinking: 'OpenCode cannot be told in a terminal to think longer; choose the variant of the model there.',
};
