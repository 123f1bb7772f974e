import { counted, whole } from '../../../base/util/counts';
import type { RecoveryAction } from '../../model';
import { age } from '../format';

/** State of automatic mode for one incident, as in the panel's snapshot. Times in milliseconds since the epoch. */
interface Automatic {
  readonly held: boolean;
  readonly nextAt?: number;
}

const SECOND = 1000;

/** Describes automatic mode for the heading of the ladder: `automatic, next in 40 s`; empty where it is off. */
export function recoveryLabel(automatic: Automatic | null, now: number): string {
  if (!automatic) return '';
  if (automatic.held) return 'automatic, held';
  return automatic.nextAt === undefined ? 'automatic' : `automatic, ${countdown(automatic.nextAt - now)}`;
}

/** Rounds a countdown up: otherwise it would show 0 s while there is still time to press *Hold*. */
function countdown(left: number): string {
  const seconds = Math.ceil(left / SECOND);
  return seconds > 0 ? `next in ${age(seconds * SECOND)}` : 'next now';
}

/** Describes the past effect of an action on incidents like this one: `Fresh context helped`, `Nudge did not help`. */
export function helpedWords(way: { readonly name: string; readonly helped: number }): string {
  return way.helped > 0 ? `${way.name} helped` : `${way.name} did not help`;
}

/** Returns `Seen 4 times: nudge helped 3 of 4, restart 1 of 1`; `Seen once` where nothing was tried. */
export function seenBeforeWords(
  times: number,
  ways: readonly { readonly name: string; readonly helped: number; readonly tried: number }[],
): string {
  const seen = times === 1 ? 'Seen once' : `Seen ${whole(times)} times`;
  const tried = ways.map(({ name, helped, tried }, index) => {
    const way = name.toLowerCase();
    return index === 0
      ? `${way} helped ${whole(helped)} of ${whole(tried)}`
      : `${way} ${whole(helped)} of ${whole(tried)}`;
  });
  return tried.length === 0 ? seen : `${seen}: ${tried.join(', ')}`;
}

/** Returns `Show 3 Similar Incidents`. */
export function similarCommand(count: number): string {
  return `Show ${counted(count, 'Similar Incident')}`;
}

/** Text shown where the program of an agent was not found. */
export function noProgramText(program: string): string {
  return `“${program}” is not in the PATH of your shell, so nothing was ended or started. Set its path in unstuck.launch.`;
}

/** Text shown about a program that ended as soon as it was started. `printed`: its last line, empty where it was not captured. */
export function notStartedText(
  agentName: string,
  { code, printed }: { readonly code: number; readonly printed: string },
) {
  const why = printed === '' ? 'Its terminal shows why.' : `It printed: ${printed}`;
  return `${agentName} was not started: the program ended at once with exit code ${code}. No attempt was counted. ${why}`;
}

/** Names of the possible actions, for menus and pick lists. */
export const ACTION_NAMES: Readonly<Record<RecoveryAction, string>> = {
  nudge: 'Nudge',
  split: 'Suggest a Smaller Step',
  resume: 'Restart with Feedback',
  fresh: 'Restart with Fresh Context',
  next_model: 'Restart with Next Model',
  top_model: 'Restart with More Thinking',
  fork: 'Fork with Feedback',
  reassign: 'Reassign to Another Agent…',
  stop: 'Stop Agent…',
  checkpoint: 'Save Checkpoint',
  block: 'Block This Call Once',
  ask: 'I’ll Take Over',
};

/** Asks the person to close the agent: a restart was clicked, but only the person can end the agent where it runs. */
export function closeIt(agentName: string): string {
  return `Close ${agentName} in its terminal. It resumes here.`;
}

/** Description of each action, one sentence for lists. */
export const ACTION_DETAILS: Readonly<Record<RecoveryAction, string>> = {
  nudge: 'Sends the drafted text.',
  split: 'Sends the drafted text with the next smaller step of its own plan.',
  resume: 'Ends the process and resumes the same session with the evidence as its prompt.',
  fresh: 'Ends the process and starts a new session with the task, the work so far and what failed.',
  next_model: 'As a fresh start, with a more capable model.',
  top_model: 'As a fresh start, with the most capable model and more thinking.',
  fork: 'Continues in a copy of the session. This one stays as it is.',
  reassign: 'Another session takes over the task. This one is told not to repeat the call.',
  stop: 'Ends the process. The transcript stays.',
  checkpoint: 'Saves the work in progress as a git ref.',
  block: 'Blocks exactly this call once, and tells the agent why.',
  ask: 'Ends recovery for this incident. Over to you.',
};

/** Names an action, with the model that it would start where that is known: `Restart with sonnet`. */
export function actionName(action: RecoveryAction, model?: string): string {
  if (model === undefined) return ACTION_NAMES[action];
  return action === 'top_model' ? `Restart with ${model}, More Thinking` : `Restart with ${model}`;
}

/** Marks the recommended action in menus, with its past record: `Recommended: Restart with Feedback, helped 2 of 2`. */
export function recommendedName(name: string, record: string): string {
  return record === '' ? `Recommended: ${name}` : `Recommended: ${name}, ${record}`;
}

/**
 * Order of the actions in *Recover*: those that change least come first. A nudge has its own place, and is among them only where it is recommended.
 */
const WAYS: readonly RecoveryAction[] = [
  'split',
  'block',
  'resume',
  'fork',
  'fresh',
  'next_model',
  'top_model',
  'reassign',
  'ask',
  'stop',
];

interface Offer {
  readonly action: RecoveryAction;
  readonly possible: boolean;
}

/** The entries of *Recover*, in the panel and in the list of a row. */
export interface Ways<T extends Offer> {
  /** First the recommended one, if any. */
  readonly possible: readonly T[];
  /** Actions that are not possible now, each with its reason. */
  readonly impossible: readonly T[];
}

export function waysOut<T extends Offer>(offers: readonly T[], recommended: RecoveryAction | null): Ways<T> {
  const first = recommended === null ? [] : [recommended];
  const listed = [...first, ...WAYS.filter((action) => action !== recommended)].flatMap(
    (action) => offers.find((offer) => offer.action === action) ?? [],
  );
  return {
    possible: listed.filter(({ possible }) => possible),
    impossible: listed.filter(({ possible }) => !possible),
  };
}

/** Name of the menu, and the heading of its second part. */
export const RECOVER = { menu: 'Recover', notNow: 'Not possible now' } as const;
