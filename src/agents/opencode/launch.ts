import type { LaunchTemplate } from '../launch-template';
import type { OpencodeProgram } from './program';

const CHOICE = [['-m', '{model}'], '{args}'] as const;
const RUN = ['run', '--format', 'json'] as const;

/** Returns how a program of the family is started again. */
export function launchOf({ program, name }: OpencodeProgram): LaunchTemplate {
  return {
    program,
    terminal: {
      // Without `run` the screen opens and the prompt is lost (https://github.com/anomalyco/opencode/issues/48113).
      resume: ['run', '--interactive', '--session', '{session}', ...CHOICE, '{prompt}'],
      fork: ['run', '--interactive', '--session', '{session}', '--fork', ...CHOICE, '{prompt}'],
      fresh: [...CHOICE, '--prompt', '{prompt}'],
    },
    piped: {
      resume: [...RUN, '--session', '{session}', ...CHOICE, ['--variant', '{thinking}'], '{prompt}'],
      fork: [...RUN, '--session', '{session}', '--fork', ...CHOICE, ['--variant', '{thinking}'], '{prompt}'],
      fresh: [...RUN, ...CHOICE, ['--variant', '{thinking}'], '{prompt}'],
    },
    noThinking: `${name} has no option in a terminal for more thinking. Choose the variant of the model there.`,
  };
}
