import * as vscode from 'vscode';
import { MOST, inertLine } from './inert';

/** Opens a terminal and shows it, without the focus. Its name appears among icons in the list of terminals. */
export function openTerminal(name: string, options: Omit<vscode.TerminalOptions, 'name'>): vscode.Terminal {
  const terminal = vscode.window.createTerminal({ ...options, name: inertLine(name, MOST.label) });
  terminal.show(true);
  return terminal;
}
