import { arch, platform } from 'node:os';
import * as vscode from 'vscode';
import { version } from '../../../package.json';
import { reportOf } from '../../engine/report/report';
import { presentable } from '../../base/util/redact';
import { fixtureFailureWords, fixtureWords } from '../../core/words';
import { pickIncident } from './incidents';
import type { CommandParts } from './parts';
import type { Argument } from './pick';
import { inform, warn, withProgress } from '../voice';

/** *Report…*: an incident as a text that can be passed on, in a document of its own. Nothing leaves but by the person's own hand. */
export async function reportIncident(parts: CommandParts, argument: Argument): Promise<void> {
  const incident = await pickIncident(parts, argument, 'Report which incident?');
  if (!incident) return;
  const host = `${vscode.env.appName} ${vscode.version}`;
  const versions = { unstuck: version, host, system: `${platform()} ${arch()}` };
  const content = reportOf(incident, versions, parts.services.now());
  await showUntitled(content, 'markdown');
  const answer = await inform(
    'This report is on your machine only. Secrets are redacted and paths are neutral; read it before you pass it on.',
    'Copy',
  );
  if (answer === 'Copy') await vscode.env.clipboard.writeText(presentable(content));
}

/** *Export as Fixture…*: a transcript that raises the alarm again, shown before it is saved; where none can be made, the reason. */
export async function exportFixture(parts: CommandParts, argument: Argument): Promise<void> {
  const incident = await pickIncident(parts, argument, 'Export which incident as a fixture?');
  if (!incident) return;
  const made = await withProgress('Reproducing the incident', { location: 'window' }, () => parts.fixture(incident));
  if (!made.ok) {
    const report = await warn(fixtureFailureWords(made.failure), 'Report…');
    if (report) await reportIncident(parts, incident);
    return;
  }
  await showUntitled(made.fixture.text, 'jsonl');
  const said = fixtureWords(incident, made.fixture);
  const answer = await inform(said, 'Save As…');
  if (answer !== undefined) await vscode.commands.executeCommand('workbench.action.files.saveAs');
}

async function showUntitled(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
}
