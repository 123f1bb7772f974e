import * as vscode from 'vscode';
import { formerRules } from '../../core/words';
import { currentForm } from './former';
import { inform } from '../voice';

/**
 * Rewrites the person's `unstuck.detectors` where an earlier version stored it, and says so once. Settings of a folder are not touched:
 * what is not understood there is named in the log.
 */
export async function rewriteFormerRules(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('unstuck');
  const current = currentForm(
    configuration.inspect('detectors')?.globalValue,
    configuration.inspect('budgets')?.globalValue,
  );
  if (!current) return;
  const { detectors, budgets, lost } = current;
  // Budgets first: if the second write fails, they are not lost.
  if (budgets) await configuration.update('budgets', budgets, vscode.ConfigurationTarget.Global);
  await configuration.update('detectors', detectors, vscode.ConfigurationTarget.Global);
  await inform(formerRules(lost));
}
