import type { AgentView } from '../../core/model';
import { MUTE_CHOICES, treeTitle } from '../../core/words';
import type { CommandParts } from './parts';
import { changeRule, personalRules } from '../rules/rule-settings';
import { pickOne } from '../voice';

export async function mute(parts: CommandParts, view: AgentView): Promise<void> {
  const { engine, now } = parts.services;
  const { preset } = parts.configuration.settings;
  const hour = 3_600_000;
  // Incidents and rules of another machine are its own.
  const incidents = view.machine ? [] : view.incidents;
  const items = [
    ...incidents.map((incident) => ({
      label: MUTE_CHOICES.incident,
      description: incident.subject,
      run: () => void engine.changeIncident(incident.id, { type: 'mute', at: now() }),
    })),
    {
      label: MUTE_CHOICES.agent,
      description: treeTitle(view.title),
      run: () => parts.list.mute(view.session, now() + hour),
    },
    ...incidents.slice(0, 1).map((incident) => ({
      label: MUTE_CHOICES.rule,
      description: `${incident.detector} for ${view.agentName}, in the settings`,
      run: () => changeRule(personalRules(view.agent, preset), incident.detector, 'off'),
    })),
  ];
  const picked = await pickOne(items, {
    placeHolder: `Mute ${treeTitle(view.title)}`,
  });
  if (picked) await Promise.resolve(picked.run());
}
