import { counted, whole } from '../../../base/util/counts';
import type { RecoveryAction } from '../../model';
import { age } from '../format';

/** Automatic mode for one incident, as the panel's snapshot has it. Times in milliseconds since the epoch. */
interface Automatic {
  readonly held: boolean;
  readonly nextAt?: number;
}

const SECOND = 1000;

/** The label of the ladder's heading: `step 2 of 5`, `step 2 of 5, automatic, next in 40 s`. */
export function recoveryLabel(label: string, automatic: Automatic | null, now: number): string {
  const step = label;
  if (!automatic) return step;
  if (automatic.held) return `${step}, automatic, held`;
  if (automatic.nextAt === undefined) return `${step}, automatic`;
  return `${step}, automatic, ${countdown(automatic.nextAt - now)}`;
}

/** A countdown is rounded up: 0 s would be said while there is still time to press *Hold*. */
function countdown(left: number): string {
  const seconds = Math.ceil(left / SECOND);
  return seconds > 0 ? `next in ${age(seconds * SECOND)}` : 'next now';
}

/** Words the past effect of an action on incidents like this one: `Fresh context helped`, `Nudge did not help`. */
export function helpedWords(way: { readonly name: string; readonly helped: number }): string {
  return way.helped > 0 ? `${way.name} helped` : `${way.name} did not help`;
}

/** `Seen 4 times: nudge helped 3 of 4, restart 1 of 1`; `Seen once` where nothing was tried. */
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

/** `Show 3 Similar Incidents`. */
export function similarCommand(count: number): string {
  return `Show ${counted(count, 'Similar Incident')}`;
}

/** Names of what can be done, for menus and pick lists. */
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

/** Words the request to close the agent: a restart was clicked, and only its person can end it where it runs. */
export function closeIt(agentName: string): string {
  return `Close ${agentName} in its terminal; it is resumed here.`;
}

/** Description of each action, one sentence for lists. */
export const ACTION_DETAILS: Readonly<Record<RecoveryAction, string>> = {
  nudge: 'Sends the drafted text.',
  split: 'Sends the drafted text with the next smaller step of its own plan.',
  resume: 'Ends the process and takes up the same session with the evidence as its prompt.',
  fresh: 'Ends the process and starts a new session with the task, the work so far and what failed.',
  next_model: 'As a fresh start, with a more capable model.',
  top_model: 'As a fresh start, with the most capable model and more thinking.',
  fork: 'Goes on in a copy of the session; this one stays as it is.',
  reassign: 'Another session takes the task over; this one is told to leave the call alone.',
  stop: 'Ends the process. The transcript stays.',
  checkpoint: 'Saves the work in progress as a git ref.',
  block: 'Refuses exactly this call the next time, with the reason.',
  ask: 'Ends recovery for this incident: it is your turn.',
};

/** An action by name, with the model that it would start where that is known: `Restart with sonnet`. */
export function actionName(action: RecoveryAction, model?: string): string {
  if (model === undefined) return ACTION_NAMES[action];
  return action === 'top_model' ? `Restart with ${model}, More Thinking` : `Restart with ${model}`;
}

/** Marks the recommended action in menus: `Recommended: Restart with Feedback`. */
export function recommendedName(name: string): string {
  return `Recommended: ${name}`;
}

/** Actions that start or end an agent, as the menu *Restart* lists them: restarts first, then the rest. */
export const RESTARTS: readonly Exclude<RecoveryAction, 'nudge'>[] = [
  'resume',
  'fork',
  'fresh',
  'next_model',
  'top_model',
];
export const OTHER_WAYS: readonly Exclude<RecoveryAction, 'nudge'>[] = ['split', 'block', 'reassign', 'ask', 'stop'];
