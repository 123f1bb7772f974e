import { signsInLine } from '../../../base/util/showable';
import { cutWords } from '../format';
import { plain, withCode } from '../parts';

const LONGEST = 300;

/** The successful action, as advice to the next agent. */
const HELPED: Readonly<Record<string, string>> = {
  nudge: 'After the second identical result, stop and look for the cause.',
  restart: 'After the second identical result, stop. Starting over with a short summary helped.',
  escalate: 'After the second identical result, stop and ask for help.',
  reassign: 'After the second identical result, stop and try a different approach.',
  block: 'Do not run it again until something has changed.',
};

/** Names a learning where no code formatting is possible: lists and menus of the editor. */
export function learningName({ cause, title }: { readonly cause?: string; readonly title: string }): string {
  return plain(withCode(signsInLine(cause ?? title)));
}

/** One line for AGENTS.md or CLAUDE.md: what a person wrote, else the cause and what to do about it. */
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
