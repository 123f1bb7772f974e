import * as vscode from 'vscode';
import { next } from '../../detect/incident';
import { type Incident, isActive } from '../../core/model';
import { whole } from '../../base/util/counts';
import { incidentRowDescription, incidentRowLabel } from '../../core/words';
import type { IncidentNode } from '../trees/incidents-view';
import { factsOf } from '../trees/row-words';
import type { CommandParts } from './parts';
import { type Argument, incidentOf } from './pick';
import { askFirst, askText, inform, pickOne, warn } from '../voice';

export async function searchIncidents(parts: CommandParts): Promise<void> {
  const text = await askText({
    title: 'Search Incidents',
    placeHolder: 'Words, also with typing errors; level:stuck rule:cycle agent:codex outcome:nudge since:7d',
    prompt: 'Finds incidents and what was learned from them, the best first.',
    value: parts.incidents.narrowing.text,
  });
  if (text === undefined) return;
  parts.incidents.narrow({ ...parts.incidents.narrowing, text: text.trim() });
  await vscode.commands.executeCommand('unstuck.incidents.focus');
}

export async function pickIncident(
  parts: CommandParts,
  argument: Argument,
  placeHolder: string,
): Promise<Incident | undefined> {
  const given = incidentOf(argument);
  if (given) return given;
  const now = parts.services.now();
  const items = (await parts.services.store.incidents({ limit: 200 })).map((incident) => {
    const facts = { ...factsOf(incident), title: incident.title };
    return { label: incidentRowLabel(facts), description: incidentRowDescription(facts, now), incident };
  });
  return (await pickOne(items, { placeHolder, matchOnDescription: true }))?.incident;
}

/** Opens an incident on its own page, also that of a learning. */
export async function showIncident(parts: CommandParts, argument: Argument): Promise<void> {
  const learned = typeof argument === 'object' && 'kind' in argument && argument.kind === 'learning';
  const incident = learned
    ? (await parts.services.store.incidents({ ids: [argument.learning.id] }))[0]
    : await pickIncident(parts, argument, 'Show which incident?');
  if (incident) parts.panels.showIncident(incident);
  else if (learned) void inform('The incident of this learning is no longer in the history.');
}

/** The incidents that a command is about: all that are selected where the row that was clicked is one of them. */
export async function chosen(
  parts: CommandParts,
  argument: Argument,
  selected: readonly IncidentNode[] | undefined,
  placeHolder: string,
): Promise<readonly Incident[]> {
  const many = (selected ?? []).flatMap((node) => (node.kind === 'incident' ? [node.incident] : []));
  if (many.length > 1) return many;
  const one = await pickIncident(parts, argument, placeHolder);
  return one ? [one] : [];
}

export async function exportIncidents(
  parts: CommandParts,
  argument: Argument,
  selected?: readonly IncidentNode[],
): Promise<void> {
  const incidents = await chosen(parts, argument, selected, 'Export which incident?');
  const [first] = incidents;
  if (!first) return;
  const name = incidents.length === 1 ? `incident-${first.id}` : `incidents-${incidents.length}`;
  const target = await vscode.window.showSaveDialog({
    title: incidents.length === 1 ? 'Export Incident' : `Export ${whole(incidents.length)} Incidents`,
    filters: { Markdown: ['md'], JSON: ['json'] },
    saveLabel: 'Export',
    ...(vscode.workspace.workspaceFolders?.[0] && {
      defaultUri: vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, `${name}.md`),
    }),
  });
  if (!target) return;
  const isJson = target.path.endsWith('.json');
  const texts: string[] = [];
  for (const { id } of incidents) {
    const text = await parts.services.store.exportIncident(id, isJson ? 'json' : 'markdown');
    if (text !== undefined) texts.push(text);
  }
  if (texts.length === 0) {
    void warn('What you chose is no longer in the history.');
    return;
  }
  const content =
    isJson && texts.length > 1 ? `[\n${texts.map((text) => text.trimEnd()).join(',\n')}\n]\n` : texts.join('\n');
  await vscode.workspace.fs.writeFile(target, Buffer.from(content, 'utf8'));
  await vscode.window.showTextDocument(target);
}

export async function deleteIncidents(
  parts: CommandParts,
  argument: Argument,
  selected?: readonly IncidentNode[],
): Promise<void> {
  const incidents = await chosen(parts, argument, selected, 'Delete which incident?');
  if (incidents.length === 0) return;
  const one = incidents.length === 1;
  const detail = one
    ? 'It is removed from the history of all windows, with what was learned. Transcripts stay.'
    : 'They are removed from the history of all windows, with what was learned. Transcripts stay.';
  const question = one ? 'Delete this incident?' : `Delete ${whole(incidents.length)} incidents?`;
  const yes = await askFirst({ message: question, detail }, 'Delete');
  if (yes === 'Delete') await parts.services.store.remove(incidents.map(({ id }) => id));
}

/** A person says that it is over, or mutes it. What is not followed any more is changed in the history alone. */
export async function changeIncidents(
  parts: CommandParts,
  argument: Argument,
  selected: readonly IncidentNode[] | undefined,
  type: 'resolve' | 'mute',
): Promise<void> {
  const { engine, store, now } = parts.services;
  const question = type === 'mute' ? 'Mute which incident?' : 'Resolve which incident?';
  for (const incident of await chosen(parts, argument, selected, question)) {
    if (!isActive(incident.state)) continue;
    const input = { type, at: now() };
    if (!engine.changeIncident(incident.id, input)) await store.save(next(incident, input));
  }
}
