import type { LaunchTemplate } from '../launch-template';

const CHOICE = [['-m', '{model}'], ['-c', 'model_reasoning_effort="{thinking}"'], '{args}'] as const;

/** `codex exec` waits for an open standard input, so the caller of the piped form must close it. */
export const codexLaunch: LaunchTemplate = {
  program: 'codex',
  terminal: {
    resume: ['resume', ...CHOICE, '{session}', '{prompt}'],
    fork: ['fork', ...CHOICE, '{session}', '{prompt}'],
    fresh: [...CHOICE, '{prompt}'],
  },
  piped: {
    resume: ['exec', 'resume', ...CHOICE, '--json', '{session}', '{prompt}'],
    fresh: ['exec', ...CHOICE, '--json', '{prompt}'],
  },
  not: { fork: 'Codex can only fork a session in a terminal.' },
};
