import * as vscode from 'vscode';
import { DETECTOR_IDS } from '../../core/model';
import { ruleName, thresholdWords, wrongHere } from '../../core/words';
import type { CommandParts } from './parts';
import { type Argument, sessionOf } from './pick';
import { pickOne } from '../voice';

/** *Rules…*: the page of rules where an agent is given; else each rule with its limits and what people said of it here, leading to its settings. */
export async function showRules({ services, detectors, rules }: CommandParts, argument: Argument): Promise<void> {
  const session = sessionOf(argument);
  if (session !== undefined && services.engine.agent(session)) return rules.show(session);
  const options = detectors('generic');
  const said = services.feedback.list();
  const items = DETECTOR_IDS.map((id) => {
    const detail = wrongHere(said.filter(({ detector }) => detector === id));
    return {
      label: ruleName(id, null),
      description: thresholdWords(id, options[id]),
      ...(detail !== '' && { detail }),
    };
  }).sort((a, b) => Number('detail' in b) - Number('detail' in a));
  const picked = await pickOne(items, {
    placeHolder: 'Rules',
    matchOnDetail: true,
  });
  if (picked) await vscode.commands.executeCommand('workbench.action.openSettings', 'unstuck.detectors');
}
