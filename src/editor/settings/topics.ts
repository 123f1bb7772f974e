/** Topics of notifications: the words of `unstuck.notifications.for`. */
const TOPICS = ['stuck', 'waiting', 'died', 'freed', 'limit', 'finished', 'unreachable'] as const;
export type Topic = (typeof TOPICS)[number];

export const NOTIFIED_BY_DEFAULT: readonly Topic[] = TOPICS.filter((topic) => topic !== 'finished');

/** Reads a list of topics. Unknown words are left out; anything but a list gives the default. */
export function topicsOf(value: unknown): readonly Topic[] {
  return Array.isArray(value) ? TOPICS.filter((topic) => value.includes(topic)) : NOTIFIED_BY_DEFAULT;
}
