import * as vscode from 'vscode';
import { formerRules } from '../../core/words';
import { currentForm } from '../rules/former';
import { inform } from '../voice';
import { currentNotifications } from './former-notifications';

/**
 * Rewrites a person's settings if an earlier version stored them in another form, and reports once if a part of them is lost. Settings of a folder
 * are not touched: what is not understood there is named in the log.
 */
export async function rewriteFormerSettings(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('unstuck');
  const personal = (name: string) => configuration.inspect<unknown>(name)?.globalValue;
  const write = (name: string, value: unknown) => configuration.update(name, value, vscode.ConfigurationTarget.Global);
  const notifications = currentNotifications(personal);
  if (notifications) {
    // Writes the new settings first: if a later write fails, nothing is lost.
    await write('notifications.for', notifications.for);
    for (const name of notifications.former) await write(name, undefined);
  }
  const current = currentForm(personal('detectors'), personal('budgets'));
  if (!current) return;
  const { detectors, budgets, lost } = current;
  if (budgets) await write('budgets', budgets);
  await write('detectors', detectors);
  await inform(formerRules(lost));
}
