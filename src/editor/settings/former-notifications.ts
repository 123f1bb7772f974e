import { NOTIFIED_BY_DEFAULT, type Topic, topicsOf } from './topics';

/** Switches of 0.1.0, each for one topic. */
const SWITCHES: readonly (readonly [string, Topic])[] = [
  ['notifications.freed', 'freed'],
  ['notifications.usageLimit', 'limit'],
  ['notifications.died', 'died'],
  ['notifications.finished', 'finished'],
  ['notifications.notAnswering', 'unreachable'],
];
const ALL = 'notifications.enabled';
/** Setting in minutes, in which 0 meant never. */
const WAITING = 'notifications.waiting';

/** A person's notifications as this version stores them. */
export interface CurrentNotifications {
  readonly for: readonly Topic[];
  /** Names of the settings that had them before. */
  readonly former: readonly string[];
}

/** Reads the switches of 0.1.0; null if there are none. A list that a person has made since takes precedence. */
export function currentNotifications(valueOf: (name: string) => unknown): CurrentNotifications | null {
  const isSet = (name: string) => valueOf(name) !== undefined;
  const former = [ALL, ...SWITCHES.map(([name]) => name)].filter(isSet);
  if (valueOf(WAITING) === 0) former.push(WAITING);
  if (former.length === 0) return null;
  if (isSet('notifications.for')) return { for: topicsOf(valueOf('notifications.for')), former };
  const topics = new Set<Topic>(valueOf(ALL) === false ? [] : NOTIFIED_BY_DEFAULT);
  if (topics.size > 0) {
    for (const [name, topic] of SWITCHES) {
      if (valueOf(name) === true) topics.add(topic);
      else if (valueOf(name) === false) topics.delete(topic);
    }
    if (valueOf(WAITING) === 0) topics.delete('waiting');
  }
  return { for: [...topics], former };
}
