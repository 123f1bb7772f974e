import { signsInLine } from '../../../base/util/showable';
import { cutWords } from '../format';
import { plain, withCode } from '../parts';

const LONGEST = 300;

/** Advice to the next agent, by the action that helped. */
const HELPED: Readonly<Record<string, string>> = {
  nudge: 'After the second identical result, stop and look for the cause.',
  restart: 'After the second identical result, stop. Starting over with a short summary helped.',
  escalate: 'After the second identical result, stop and ask for help.',
  reassign: 'After the second identical result, stop and try a different approach.',
  block: 'Do not run it again until something has changed.',
};

/** How the agent became free, in the sentence of a learning. */
const FREED: Readonly<Record<string, string>> = {
  nudge: 'freed by a nudge',
  restart: 'freed by a restart',
  escalate: 'freed by another model',
  reassign: 'another agent took over',
  block: 'freed by blocking the call',
  gate: 'freed by quality-gate feedback',
  by_itself: 'recovered on its own',
  user: 'you stepped in',
};

/**
 * Writes a learning as a sentence, where no code formatting is possible: a person's own text, or else why the agent was stuck and what freed it:
 * `pytest -q kept failing: 1 failed: test_add; freed by a nudge.`
 */
export function learningName(learning: {
  readonly content: string;
  readonly cause?: string;
  readonly title: string;
  readonly editedAt?: number;
  readonly state: 'recovered' | 'ended' | 'unknown';
  readonly tried: string;
}): string {
  const { content, cause, title, editedAt, state, tried } = learning;
  if (editedAt !== undefined && content !== '') return plain(withCode(signsInLine(content)));
  const why = plain(withCode(signsInLine(cause ?? title)));
  const freed = state === 'recovered' ? FREED[tried] : undefined;
  return freed === undefined ? why : `${why.replace(/\.$/, '')}; ${freed}.`;
}

/** Writes one line for AGENTS.md or CLAUDE.md: a person's own text, or else the cause and what to do about it. */
export function learningLine(learning: {
  readonly content: string;
  readonly cause?: string;
  readonly title: string;
  readonly editedAt?: number;
  readonly tried: string;
}): string {
  const { content, cause, title, editedAt, tried } = learning;
  if (editedAt !== undefined && content !== '') return `- ${signsInLine(cutWords(content, LONGEST))}`;
  const advice = HELPED[tried] ?? 'After the second identical result, stop and say what is missing.';
  return `- An agent got stuck here: ${signsInLine(cutWords(cause ?? title, LONGEST))} ${advice}`;
}
