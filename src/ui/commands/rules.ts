import * as vscode from 'vscode';
import { DETECTOR_IDS } from '../../model';
import { ruleName, thresholdWords, treeTitle, wrongHere } from '../../words';
import { signsInLine } from '../../util/showable';
import type { CommandParts } from './parts';
import { type Argument, sessionOf } from './pick';

/** *Rules…*: each rule with its limits, those of one kind of agent where one is given, and what people said of it here. Leads to its settings. */
export async function showRules({ services, detectors }: CommandParts, argument: Argument): Promise<void> {
  const session = sessionOf(argument);
  const view = session === undefined ? undefined : services.engine.agent(session);
  const options = detectors(view?.agent ?? 'generic');
  const said = services.feedback.list();
  const items = DETECTOR_IDS.map((id) => {
    const detail = wrongHere(said.filter(({ detector }) => detector === id));
    return {
      label: ruleName(id, null),
      description: thresholdWords(id, options[id]),
      ...(detail !== '' && { detail }),
    };
  }).sort((a, b) => Number('detail' in b) - Number('detail' in a));
  const placeHolder = view ? `Rules for ${view.agentName}: ${treeTitle(signsInLine(view.title))}` : 'Rules';
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  if (picked) await vscode.commands.executeCommand('workbench.action.openSettings', 'unstuck.detectors');
}
