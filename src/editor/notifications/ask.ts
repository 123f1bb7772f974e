import type { Notification, NotificationButton } from '../../core/words';
import { notify } from '../voice';

/** Shows a notification with these buttons; returns the one that was clicked, undefined for none. */
export function ask(
  { level, text, buttons }: Notification,
  shown: readonly NotificationButton[] = buttons,
): Promise<NotificationButton | undefined> {
  return notify(level, text, ...shown);
}
