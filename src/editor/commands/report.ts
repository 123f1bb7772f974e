import { arch, platform } from 'node:os';
import * as vscode from 'vscode';
import { version } from '../../../package.json';
import { reportOf } from '../../engine/report/report';
import { presentable } from '../../base/util/redact';
import type { Incident } from '../../core/model';
import { fixtureFailureWords, fixtureWords } from '../../core/words';
import type { CommandParts } from './parts';
import { inform, withProgress } from '../voice';

const READ_FIRST = 'Secrets are redacted and paths are neutral. Read the report before you share it.';

/**
 * *Report Alarm…*: opens an incident as a text, and a transcript that raises the alarm again, each in a document of its own. If there can be no such
 * transcript, shows the reason.
 */
export async function reportIncident(parts: CommandParts, incident: Incident): Promise<void> {
  const made = await withProgress('Reproducing the incident', { location: 'window' }, () => parts.fixture(incident));
  if (made.ok) await showUntitled(made.fixture.text, 'jsonl');
  const host = `${vscode.env.appName} ${vscode.version}`;
  const versions = { unstuck: version, host, system: `${platform()} ${arch()}` };
  const content = reportOf(incident, versions, parts.services.now());
  await showUntitled(content, 'markdown');
  const said = made.ok ? fixtureWords(incident, made.fixture) : `${fixtureFailureWords(made.failure)} ${READ_FIRST}`;
  const answer = await inform(`Nothing has left your machine. ${said}`, 'Copy Report');
  if (answer !== undefined) await vscode.env.clipboard.writeText(presentable(content));
}

async function showUntitled(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
}
