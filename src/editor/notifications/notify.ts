import type { GateReport, Incident, MachineOfAgent } from '../../core/model';
import type { IncidentChange } from '../../engine/events';
import { mayNotify } from '../../detect/incident';
import { GO_TO, type NotificationButton, type Surface } from '../../core/words';
import { type QuietHours, isQuiet } from '../settings/settings';

/** Why a notification is not shown although the incident may notify, in the words of the log. */
export type Silence = 'notifications are off' | 'quiet hours' | 'its panel is in view' | 'its agent is muted';

export interface NotifySituation {
  /** True if `unstuck.notifications.for` contains its topic. */
  readonly enabled: boolean;
  readonly quietHours: QuietHours | null;
  /** True if the agent's panel is visible in a focused window. */
  readonly inView: boolean;
  /** True if a person muted the agent for some time. */
  readonly muted: boolean;
  readonly now: Date;
}

/** Time after a person wrote to the agent during which an alert waits for one more repeat, since that person is watching it. */
const JUST_WRITTEN_MS = 60_000;

/**
 * Returns how many milliseconds a notification waits at most for the next repeat; 0 if it is due.
 *
 * @param promptedAt when a person last wrote to the agent
 * @param heldAt count at which it began to wait
 */
export function waitForRepeat(
  { count }: Incident,
  promptedAt: number | undefined,
  heldAt: number | undefined,
  now: number,
): number {
  if (promptedAt === undefined || (heldAt !== undefined && count > heldAt)) return 0;
  return Math.max(0, promptedAt + JUST_WRITTEN_MS - now);
}

/** Returns why a notification is not shown; null if it is shown. */
export function silenceOf({ enabled, quietHours, inView, muted, now }: NotifySituation): Silence | null {
  if (!enabled) return 'notifications are off';
  if (isQuiet(quietHours, now)) return 'quiet hours';
  if (muted) return 'its agent is muted';
  return inView ? 'its panel is in view' : null;
}

/**
 * Returns the notification that a change of an incident needs: the first one, the last one after recovery without success, or a quiet one when it is
 * over.
 */
export function noticeDue({ incident, before }: IncidentChange): {
  readonly alert: boolean;
  readonly escalated: boolean;
  readonly freed: boolean;
} {
  const became = incident.state === 'escalated' && before !== null && before.state !== 'escalated';
  const recovered = incident.state === 'recovered' && before !== null && before.state !== 'recovered';
  return {
    alert: mayNotify(incident) === 'notify',
    escalated: became && !incident.history,
    freed: recovered && isAwaited(incident) && !incident.history,
  };
}

/** Returns whether a person expects to hear how it ended: a person who was notified, or who sent a message. A warning notifies no one. */
function isAwaited({ level, attempts }: Incident): boolean {
  return level === 'stuck' || attempts.some(({ automated, takenAt }) => !automated && takenAt !== undefined);
}

/** Features that are off until the folder is trusted. */
const NEED_TRUST: readonly NotificationButton[] = [
  'Nudge',
  'Continue All',
  'Restart',
  'Save Checkpoint',
  'Send to Agent',
  'Stop Agent',
];

/** Returns the buttons of a notification that work now. */
export function usableButtons(
  buttons: readonly NotificationButton[],
  trusted: boolean,
  machine?: MachineOfAgent,
): readonly NotificationButton[] {
  return buttons
    .filter((button) => trusted || !NEED_TRUST.includes(button))
    .filter((button) => machine === undefined || isUsableThere(button, machine));
}

/** Returns whether a button works for an agent of another machine: either the machine accepts the action, or it takes place in this window. */
function isUsableThere(button: NotificationButton, { accepts }: MachineOfAgent): boolean {
  switch (button) {
    case 'Nudge':
      return accepts.includes('nudge');
    case 'Restart':
      return accepts.includes('restart');
    case 'Stop Agent':
      return accepts.includes('stop');
    case 'Not Stuck':
    case 'Save Checkpoint':
    case 'Send to Agent':
    case 'Connect Agent':
    case 'Go to Terminal':
    case 'Go to Chat':
    case 'Show Gates':
      return false;
    case 'Go There':
    case 'Next Agent':
    case 'Continue All':
    case 'OK':
    case 'Restart Unstuck':
    case 'Show Agent':
    case 'Show Agents':
    case 'Show Evidence':
    case 'Show File':
    case 'Show Log':
    case 'Show Nudge':
      return true;
  }
}

/** Puts the way to the agent at the end of the buttons if it runs in a terminal or the chat of this window. */
export function buttonsHere(
  buttons: readonly NotificationButton[],
  surface: Surface | null,
): readonly NotificationButton[] {
  return surface === null ? buttons : [...buttons, GO_TO[surface]];
}

/** Returns the buttons of a report: the failures went to the agent already, or a person may send them. */
export function gateButtons(report: GateReport, trusted: boolean): readonly NotificationButton[] {
  const unsent = report.message === undefined && report.verdict === 'failed';
  return usableButtons(unsent ? ['Show Gates', 'Send to Agent', 'Not Stuck'] : ['Show Gates', 'Not Stuck'], trusted);
}
