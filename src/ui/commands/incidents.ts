import * as vscode from 'vscode';
import type { Incident } from '../../model';
import { signsInLine } from '../../util/showable';
import type { CommandParts } from './parts';
import { type Argument, incidentOf } from './pick';

export async function searchIncidents(parts: CommandParts): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: 'Search Incidents',
    placeHolder: 'Words of the call, the title, the explanation',
    value: parts.incidents.narrowing.text,
  });
  if (text !== undefined) parts.incidents.narrow({ ...parts.incidents.narrowing, text: text.trim() });
}

export async function filterIncidents(parts: CommandParts): Promise<void> {
  const { agentNames } = parts.services;
  const items = [
    { label: 'All Incidents', state: undefined, agent: undefined },
    { label: 'Active', state: 'active' as const, agent: undefined },
    { label: 'Recovered', state: 'recovered' as const, agent: undefined },
    { label: 'Muted, Ended and Unknown', state: 'other' as const, agent: undefined },
    ...[...agentNames].map(([agent, name]) => ({ label: name, state: undefined, agent })),
  ];
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Show which incidents?' });
  if (!picked) return;
  const { text } = parts.incidents.narrowing;
  parts.incidents.narrow({
    text,
    ...(picked.state && { state: picked.state }),
    ...(picked.agent && { agent: picked.agent }),
  });
}

async function pickIncident(
  parts: CommandParts,
  argument: Argument,
  placeHolder: string,
): Promise<Incident | undefined> {
  const given = incidentOf(argument);
  if (given) return given;
  const items = (await parts.services.store.incidents({ limit: 200 })).map((incident) => ({
    label: signsInLine(incident.subject),
    description: `${incident.detector}, ${incident.state}`,
    detail: signsInLine(incident.title),
    incident,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.incident;
}

export async function exportIncident(parts: CommandParts, argument: Argument): Promise<void> {
  const incident = await pickIncident(parts, argument, 'Export which incident?');
  if (!incident) return;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Incident',
    filters: { Markdown: ['md'], JSON: ['json'] },
    saveLabel: 'Export',
    ...(vscode.workspace.workspaceFolders?.[0] && {
      defaultUri: vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, `incident-${incident.id}.md`),
    }),
  });
  if (!target) return;
  const text = await parts.services.store.exportIncident(
    incident.id,
    target.path.endsWith('.json') ? 'json' : 'markdown',
  );
  if (text === undefined) {
    void vscode.window.showWarningMessage('This incident is no longer in the history.');
    return;
  }
  await vscode.workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
  await vscode.window.showTextDocument(target);
}

export async function deleteIncident(parts: CommandParts, argument: Argument): Promise<void> {
  const incident = incidentOf(argument);
  if (!incident) return;
  const detail = 'It is removed from the history of all windows. The transcript stays.';
  const yes = await vscode.window.showWarningMessage('Delete this incident?', { modal: true, detail }, 'Delete');
  if (yes === 'Delete') await parts.services.store.remove(incident.id);
}
