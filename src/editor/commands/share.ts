import * as vscode from 'vscode';
import type { AgentView, Incident } from '../../core/model';
import { presentable } from '../../base/util/redact';
import { statusCardOf, summaryOf } from '../status/card';
import type { IncidentNode } from '../trees/incidents-view';
import { chosenIncidents, exportIncidents } from './incidents';
import type { CommandParts } from './parts';
import { type Argument, pickedIncident, pickAgent, sessionOf } from './pick';
import { reportIncident } from './report';
import { type ListRow, pickOne } from '../voice';

interface Way extends ListRow {
  readonly run: () => unknown;
}

/** *Share…*: offers what a person may pass on about an agent and its incident. Nothing leaves the machine unless the person sends it. */
export async function share(
  parts: CommandParts,
  argument: Argument,
  selected?: readonly IncidentNode[],
): Promise<void> {
  const many = chosenIncidents(argument, selected);
  if (many.length > 1) return exportIncidents(parts, many);
  const given = pickedIncident(argument);
  const followed = parts.services.agents.agent(sessionOf(argument) ?? '');
  const view = followed ?? (given ? undefined : await pickAgent(parts, argument, 'Share which agent?'));
  // Incidents of another machine are in that machine's history.
  const incident = given ?? (view?.machine ? undefined : view?.incidents[0]);
  const ways = [...(view ? waysOfAgent(parts, view) : []), ...(incident ? waysOfIncident(parts, incident) : [])];
  if (ways.length > 0) await (await pickOne(ways, { placeHolder: 'Share' }))?.run();
}

function waysOfAgent({ services }: CommandParts, view: AgentView): readonly Way[] {
  const { agents, now } = services;
  const copy = (text: string) => vscode.env.clipboard.writeText(presentable(text));
  const card = () => statusCardOf(view, agents.incidentsOf(view.session), agents.timeline(view.session), now());
  return [
    { label: 'Copy Summary', description: 'a few lines of text', run: () => copy(summaryOf(view, now())) },
    { label: 'Copy Card', description: 'Markdown, with the newest steps', run: () => copy(card()) },
  ];
}

function waysOfIncident(parts: CommandParts, incident: Incident): readonly Way[] {
  return [
    {
      label: 'Report Alarm…',
      description: 'what happened, with a transcript that reproduces the alarm',
      run: () => reportIncident(parts, incident),
    },
    {
      label: 'Save Incident…',
      description: 'as Markdown or JSON',
      run: () => exportIncidents(parts, [incident]),
    },
  ];
}
