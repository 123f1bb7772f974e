import * as vscode from 'vscode';
import type { AgentId, DetectorId } from '../../core/model';
import type { RuleChange } from '../panel-model';
import type { AgentPorts } from '../agent-ports';
import { withRule } from './change-rule';

/** Changes a rule for one kind of agent in the person's own settings: nothing that a folder says gets in there. */
export async function changeRule(
  agent: AgentId,
  detector: DetectorId,
  change: RuleChange,
  detectors: AgentPorts['detectors'],
): Promise<void> {
  const changed = withRule(personalRules(), agent, detector, change, detectors(agent)[detector]);
  const value = Object.keys(changed).length === 0 ? undefined : changed;
  await vscode.workspace.getConfiguration('unstuck').update('detectors', value, vscode.ConfigurationTarget.Global);
}

/** Returns the value of `unstuck.detectors` for all folders. */
export function personalRules(): Readonly<Record<string, unknown>> {
  return inspected()?.globalValue ?? {};
}

/** Returns whether this folder overrides the rules that a person set for all folders. */
export function saysOfFolder(): boolean {
  const setting = inspected();
  return setting?.workspaceValue !== undefined || setting?.workspaceFolderValue !== undefined;
}

function inspected() {
  return vscode.workspace.getConfiguration('unstuck').inspect<Record<string, unknown>>('detectors');
}
