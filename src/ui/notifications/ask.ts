import * as vscode from 'vscode';
import { unlinked } from '../../util/showable';
import { BUTTON_NAMES, type Notification, type NotificationButton } from '../../words';

type Show = (text: string, ...buttons: string[]) => Thenable<string | undefined>;

function showOf(level: Notification['level']): Show {
  switch (level) {
    case 'information':
      return vscode.window.showInformationMessage;
    case 'warning':
      return vscode.window.showWarningMessage;
    case 'error':
      return vscode.window.showErrorMessage;
  }
}

/** Shows a notification with these buttons, in the reader's language; the one that was clicked, undefined for none. */
export async function ask(
  { level, text, buttons }: Notification,
  shown: readonly NotificationButton[] = buttons,
): Promise<NotificationButton | undefined> {
  const answer = await showOf(level)(unlinked(text), ...shown.map((button) => BUTTON_NAMES[button]));
  return (Object.keys(BUTTON_NAMES) as NotificationButton[]).find((button) => BUTTON_NAMES[button] === answer);
}
