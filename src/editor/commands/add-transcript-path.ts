import * as vscode from 'vscode';
import { counted, whole } from '../../base/util/counts';
import type { AgentPorts } from '../agent-ports';
import { askText, inform } from '../voice';

const SETTING = 'transcripts.include';
const EXCLUDED = '**/{node_modules,.git,.unstuck}/**';
/** Maximum number of files checked; more are not counted. */
const MOST = 200;
const EXAMPLE = 'logs/**/*.agent.jsonl';

export interface AddTranscriptPathParts {
  readonly isTranscript: AgentPorts['isTranscript'];
}

/** Returns why a text is no glob of files inside the workspace; null if it is one. Pure. */
export function globProblem(text: string): string | null {
  const glob = text.trim();
  if (glob === '') return `Write a glob, for example ${EXAMPLE}`;
  const parts = glob.split(/[\\/]/);
  if (parts[0] === '' || parts[0] === '~' || /^[A-Za-z]:/.test(glob) || parts.includes('..'))
    return `Only files inside the folders of this window can be watched, for example ${EXAMPLE}`;
  return null;
}

/** Describes the files that a glob matches: `3 files match, 2 are transcripts.` */
export function foundWords(files: number, transcripts: number): string {
  if (files === 0) return 'No file matches yet.';
  return files > MOST
    ? `More than ${MOST} files match, ${whole(transcripts)} of the first ${MOST} ${transcripts === 1 ? 'is a transcript' : 'are transcripts'}.`
    : `${counted(files, 'file matches', 'files match')}, ${counted(transcripts, 'is a transcript', 'are transcripts')}.`;
}

/** *Add a Transcript Path*: asks for the glob, shows what it finds, and writes it into the workspace settings after a click. */
export async function addTranscriptPath({ isTranscript }: AddTranscriptPathParts): Promise<void> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) {
    void inform('First open the folder in which the agent works.');
    return;
  }
  const answer = await askText({
    title: 'Add a Transcript Path',
    prompt: 'Which files in this workspace are transcripts? Enter a glob.',
    placeHolder: EXAMPLE,
    problem: globProblem,
  });
  const glob = answer?.trim();
  if (glob === undefined || globProblem(glob) !== null) return;
  const files: vscode.Uri[] = [];
  for (const folder of folders)
    files.push(...(await vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), EXCLUDED, MOST + 1)));
  let transcripts = 0;
  for (const { fsPath } of files.slice(0, MOST)) if (await isTranscript(fsPath)) transcripts++;
  const watch = 'Watch Them';
  const trust = vscode.workspace.isTrusted ? '' : ' It takes effect once you trust this folder.';
  const text = `${glob}: ${foundWords(files.length, transcripts)}${trust}`;
  if ((await inform(text, watch)) !== watch) return;
  const settings = vscode.workspace.getConfiguration('unstuck');
  const before = settings.inspect<unknown>(SETTING)?.workspaceValue;
  const globs = Array.isArray(before) ? before.filter((one) => typeof one === 'string') : [];
  if (globs.includes(glob)) return;
  await settings.update(SETTING, [...globs, glob], vscode.ConfigurationTarget.Workspace);
}
