import type { DetectContext } from '../../../../src/detect/session/detector';
import type { PastStep } from '../../../../src/detect/steps/step';
import { PastSteps } from '../../../../src/detect/steps/past-steps';

const source = { file: 'f', line: 1, offset: 0 };

/** A step unlike any other, except for the given fields. */
export function pastStep(index: number, more: Partial<PastStep>): PastStep {
  return {
    index,
    at: index * 1000,
    source,
    end: source,
    kind: 'ran',
    tool: 'Bash',
    failed: false,
    crashed: more.failed === true,
    check: false,
    weight: 'plain',
    requestedWait: 0,
    isNew: false,
    counted: true,
    message: index,
    prompts: 0,
    changes: false,
    movesHead: false,
    file: 0,
    edit: null,
    failing: -1,
    isReminded: false,
    starts: false,
    signature: 1000 + index,
    program: 0,
    target: 0,
    outcome: 1000 + index,
    error: 0,
    effect: 0,
    values: [],
    tokens: 0,
    subject: `step ${index}`,
    text: '',
    ...more,
  };
}

/** A session of these steps, the newest last. */
export function sessionOf(
  steps: readonly Partial<PastStep>[],
  stepsAtUserMessage = 0,
): { newest: PastStep; context: DetectContext } {
  const past = new PastSteps();
  const all = steps.map((more, index) => pastStep(index, more));
  for (const step of all) past.add(step);
  const newest = all.at(-1);
  if (!newest) throw new Error('a session needs a step');
  return { newest, context: { steps: past, stepsAtUserMessage } as unknown as DetectContext };
}
