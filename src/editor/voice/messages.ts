import * as vscode from 'vscode';
import { MOST, inertLine } from './inert';

export type MessageLevel = 'information' | 'warning' | 'error';

/** A question in a dialog in front of everything else in the window. */
export interface Question {
  readonly level?: MessageLevel;
  readonly message: string;
  /** Each text is one line. */
  readonly detail: string | readonly string[];
}

/** Shows a notification. Returns the button that was clicked, undefined for none. */
export function notify<Button extends string>(
  level: MessageLevel,
  text: string,
  ...buttons: readonly Button[]
): Promise<Button | undefined> {
  return answered(buttons, (shown) => showOf(level)(inertLine(text, MOST.sentence), ...shown));
}

export function inform(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return notify('information', text, ...buttons);
}

export function warn(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return notify('warning', text, ...buttons);
}

export function showError(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return notify('error', text, ...buttons);
}

/** Shows a dialog, which has a button *Cancel* in addition to its own. Returns the one that was clicked, undefined for *Cancel*. */
export function askFirst(
  { level = 'warning', message, detail }: Question,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const lines = [detail].flat().map((line) => inertLine(line, MOST.detail));
  const options = { modal: true, detail: lines.join('\n') };
  return answered(buttons, (shown) => showOf(level)(inertLine(message, MOST.sentence), options, ...shown));
}

/** Asks with one button in addition to *Cancel*. */
export async function isAgreed(message: string, detail: string, button: string): Promise<boolean> {
  return (await askFirst({ message, detail }, button)) === button;
}

/** Shows a sentence in the status bar that disappears on its own. */
export function sayInStatusBar(icon: string, text: string, milliseconds: number): void {
  vscode.window.setStatusBarMessage(`$(${icon}) ${inertLine(text, MOST.label)}`, milliseconds);
}

/** Shows that a task runs. What the task reports appears next to the title. */
export function withProgress<Result>(
  title: string,
  { location, cancellable = false }: { readonly location: 'window' | 'notification'; readonly cancellable?: boolean },
  task: (report: (message: string) => void, token: vscode.CancellationToken) => Promise<Result>,
): Thenable<Result> {
  const where = location === 'window' ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location: where, title: inertLine(title, MOST.label), cancellable },
    (progress, token) => task((message) => progress.report({ message: inertLine(message, MOST.label) }), token),
  );
}

interface Show {
  (text: string, ...buttons: readonly string[]): Thenable<string | undefined>;
  (text: string, options: vscode.MessageOptions, ...buttons: readonly string[]): Thenable<string | undefined>;
}

function showOf(level: MessageLevel): Show {
  switch (level) {
    case 'information':
      return vscode.window.showInformationMessage;
    case 'warning':
      return vscode.window.showWarningMessage;
    case 'error':
      return vscode.window.showErrorMessage;
  }
}

/** Returns the caller's own button for the one that was shown and clicked. */
async function answered<Button extends string>(
  buttons: readonly Button[],
  show: (shown: readonly string[]) => Thenable<string | undefined>,
): Promise<Button | undefined> {
  const shown = buttons.map((button) => inertLine(button, MOST.label));
  const answer = await show(shown);
  return answer === undefined ? undefined : buttons[shown.indexOf(answer)];
}
