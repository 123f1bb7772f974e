import * as vscode from 'vscode';
import type { AgentId, AgentView, DetectorId } from '../../model';
import { MUTE_CHOICES, treeTitle } from '../../words';
import { signsInLine } from '../../util/showable';
import type { CommandParts } from './parts';
import { withRuleOff } from './rule-off';

export async function mute(parts: CommandParts, view: AgentView): Promise<void> {
  const { engine, now } = parts.services;
  const hour = 3_600_000;
  const items = [
    ...view.incidents.map((incident) => ({
      label: MUTE_CHOICES.incident,
      description: signsInLine(incident.subject),
      run: () => void engine.changeIncident(incident.id, { type: 'mute', at: now() }),
    })),
    {
      label: MUTE_CHOICES.agent,
      description: treeTitle(signsInLine(view.title)),
      run: () => parts.list.mute(view.session, now() + hour),
    },
    ...view.incidents.slice(0, 1).map((incident) => ({
      label: MUTE_CHOICES.rule,
      description: `${incident.detector} for ${view.agentName}, in the settings`,
      run: () => turnOffRule(view.agent, incident.detector),
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: `Mute ${treeTitle(signsInLine(view.title))}`,
  });
  if (picked) await Promise.resolve(picked.run());
}

/** Turns a rule off for one kind of agent, in the user's settings. */
async function turnOffRule(agent: AgentId, detector: DetectorId): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('unstuck');
  const detectors = configuration.get<Record<string, unknown>>('detectors') ?? {};
  await configuration.update('detectors', withRuleOff(detectors, agent, detector), vscode.ConfigurationTarget.Global);
}
