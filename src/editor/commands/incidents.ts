import * as vscode from 'vscode';
import type { Incident } from '../../core/model';
import { whole } from '../../base/util/counts';
import type { IncidentNode } from '../trees/incidents-view';
import type { CommandParts } from './parts';
import { type Argument, pickedIncident, pickedLearning } from './pick';
import { askFirst, inform, warn } from '../voice';

/** Opens an incident on its own page, including the incident of a learning. */
export async function showIncident(parts: CommandParts, argument: Argument): Promise<void> {
  const learned = pickedLearning(argument);
  const incident = learned
    ? (await parts.services.store.incidents({ ids: [learned.learning.id] }))[0]
    : pickedIncident(argument);
  if (incident) parts.panels.showIncident(incident);
  else if (learned) void inform('The incident behind this learning is no longer in the history.');
}

/** Returns the incidents that a command is about: all selected ones if the clicked row is among them. */
export function chosenIncidents(
  argument: Argument,
  selected: readonly IncidentNode[] | undefined,
): readonly Incident[] {
  const many = (selected ?? []).flatMap((node) => (node.kind === 'incident' ? [node.incident] : []));
  if (many.length > 1) return many;
  const one = pickedIncident(argument);
  return one ? [one] : [];
}

/** Writes incidents into one Markdown or JSON file that the person names. */
export async function exportIncidents(parts: CommandParts, incidents: readonly Incident[]): Promise<void> {
  const [first] = incidents;
  if (!first) return;
  const name = incidents.length === 1 ? `incident-${first.id}` : `incidents-${incidents.length}`;
  const target = await vscode.window.showSaveDialog({
    title: incidents.length === 1 ? 'Save Incident' : `Save ${whole(incidents.length)} Incidents`,
    filters: { Markdown: ['md'], JSON: ['json'] },
    saveLabel: 'Save',
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
    void warn('Your selection is no longer in the history.');
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
  const incidents = chosenIncidents(argument, selected);
  if (incidents.length === 0) return;
  const one = incidents.length === 1;
  const detail = one
    ? 'It is removed from the history of all windows, together with its learning. Transcripts stay.'
    : 'They are removed from the history of all windows, together with their learnings. Transcripts stay.';
  const question = one ? 'Delete this incident?' : `Delete ${whole(incidents.length)} incidents?`;
  const yes = await askFirst({ message: question, detail }, 'Delete');
  if (yes === 'Delete') await parts.services.store.remove(incidents.map(({ id }) => id));
}
