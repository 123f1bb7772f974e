import { BUTTON_NAMES, type Notification, type NotificationButton } from '../../core/words';
import { notify } from '../voice';

/** Shows a notification with these buttons; returns the one that was clicked, undefined for none. */
export async function ask(
  { level, text, buttons }: Notification,
  shown: readonly NotificationButton[] = buttons,
): Promise<NotificationButton | undefined> {
  const answer = await notify(level, text, ...shown.map((button) => BUTTON_NAMES[button]));
  return (Object.keys(BUTTON_NAMES) as NotificationButton[]).find((button) => BUTTON_NAMES[button] === answer);
}
