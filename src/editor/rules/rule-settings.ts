import * as vscode from 'vscode';
import type { AgentId, DetectorId, Preset } from '../../core/model';
import { cardOf } from '../../core/rules';
import type { RuleChange } from '../panel-model';
import { type RulesOf, withRule } from './change-rule';

/** Returns the rules of one kind of agent as the person set them, without the settings of a folder. */
export function personalRules(agent: AgentId, preset: Preset): RulesOf {
  return { agent, preset, detectors: inspected()?.globalValue ?? {} };
}

/** Changes a rule for one kind of agent in the person's own settings. A detector that another one covers is changed as that one. */
export async function changeRule(of: RulesOf, detector: DetectorId, change: RuleChange): Promise<void> {
  const changed = withRule(of, cardOf(detector).foundBy ?? detector, change);
  const value = Object.keys(changed).length === 0 ? undefined : changed;
  await vscode.workspace.getConfiguration('unstuck').update('detectors', value, vscode.ConfigurationTarget.Global);
}

/** Returns whether this folder overrides the rules that a person set for all folders. */
export function saysOfFolder(): boolean {
  const setting = inspected();
  return setting?.workspaceValue !== undefined || setting?.workspaceFolderValue !== undefined;
}

function inspected() {
  return vscode.workspace.getConfiguration('unstuck').inspect<Record<string, unknown>>('detectors');
}
