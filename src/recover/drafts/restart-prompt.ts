import type { Incident } from '../../core/model';
import { TASK_HEADING } from '../../core/words/messages/handed-task';
import {
  HARMLESS,
  countedText,
  evidenceText,
  callText,
  otherItemsText,
  paragraphs,
  senderLine,
  stepText,
} from './draft';
import { type ProgressFacts, progressLines } from './progress-summary';
import { fenced, fencedLines } from '../quote';
import { failedWaysOf, priorAttempts, retryContext } from './retry-context';

/**
 * `resume`, `fork`: the agent knows its work and was started again. `fresh`: a new one takes over with nothing but this. `reassign`: another agent,
 * which may have work of its own.
 */
export type PromptMode = 'resume' | 'fork' | 'fresh' | 'reassign';

export interface PromptOptions {
  readonly mode: PromptMode;
  readonly automatic: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The person's request to the first agent, as far as it is known. */
  readonly task: string;
  readonly progress: ProgressFacts;
  /** Incidents of this session and of its forks, including this one. */
  readonly related: readonly Incident[];
  readonly otherItems?: readonly string[];
  /** Name of the ref under which the work in progress was saved. */
  readonly checkpoint?: string;
}

/**
 * Words the prompt with which an agent is started again, or a task is handed to another one: who writes, the task, what is done, what is stuck with
 * its unchanged result, one next step, then everything that was tried and is to be avoided. The calls to avoid come last, in backticks, where the
 * rule `context_pollution` finds them.
 */
export function restartPrompt(incident: Incident, options: PromptOptions): string {
  const { mode, automatic, now, related } = options;
  const isNew = mode === 'fresh' || mode === 'reassign';
  return paragraphs(
    senderLine(automatic),
    opening(mode, incident.level),
    isNew ? taskText(options.task, incident) : '',
    isNew ? progressText(options.progress) : '',
    checkpointText(options.checkpoint),
    isNew ? `Where the previous agent got stuck. ${countedText(incident, now, 'other')}` : countedText(incident, now),
    evidenceText(incident),
    stepText(incident),
    otherItemsText(options.otherItems),
    retryContext(priorAttempts(related), failedWaysOf(related), incident.session),
    HARMLESS,
  );
}

const WHO_HAS_IT = {
  taken: 'This part of the task now belongs to another agent.',
  set_aside: 'Set this part of the task aside: your user decides whether another agent takes it.',
} as const;

/** Words the message to a stuck agent whose task another one took, or may take: leave the call alone, continue with what is independent. */
export function leaveItText(
  incident: Incident,
  who: keyof typeof WHO_HAS_IT,
  options: Pick<PromptOptions, 'automatic' | 'otherItems' | 'now'>,
): string {
  const others = otherItemsText(options.otherItems);
  const rest =
    others === ''
      ? 'Do not work on it any more. If nothing else is left to do, end your turn and say what is unfinished.'
      : 'Do not work on it any more. Continue with the rest of your plan.';
  return paragraphs(
    senderLine(options.automatic),
    countedText(incident, options.now),
    callText(incident),
    `${WHO_HAS_IT[who]} ${rest}`,
    others,
    HARMLESS,
  );
}

/** Words the reason given to an agent when it is stopped. */
export function stopText(incident: Incident, automatic: boolean, now: number): string {
  return `${senderLine(automatic)} ${countedText(incident, now)} This session ends here. Its work stays as it is.`;
}

/** Words the opening. A warning, such as a silence, is no proof that the agent was stuck. */
function opening(mode: PromptMode, level: Incident['level']): string {
  switch (mode) {
    case 'resume':
      return `You were restarted in the same session${level === 'stuck' ? ', because you were stuck' : ''}.`;
    case 'fork':
      return `You continue in a copy of ${level === 'stuck' ? 'a session in which you were stuck' : 'your session'}. The other one is not continued.`;
    case 'fresh':
      return 'You take over from an agent that got stuck. You start with a fresh context. All you need to know about its work is here.';
    case 'reassign':
      return 'An agent in the same folder got stuck, and this part of its task is now yours. All you need to know about its work is here.';
  }
}

function taskText(task: string, incident: Incident): string {
  const text = task.trim() === '' ? incident.title : task;
  return text.trim() === '' ? '' : `${TASK_HEADING}${fenced(text, { lines: 40, width: 400, keep: 'head' })}`;
}

function progressText(progress: ProgressFacts): string {
  // The incident follows below, with its result.
  const lines = progressLines({ ...progress, incident: null });
  return lines.length === 0 ? '' : `What is known about the work so far:\n${fencedLines(lines)}`;
}

function checkpointText(checkpoint: string | undefined): string {
  return checkpoint === undefined
    ? ''
    : `The work in progress is saved in git as ${checkpoint}. The files are as they were left.`;
}
