import * as vscode from 'vscode';
import { whole } from '../../base/util/counts';
import type { AgentView } from '../../core/model';

/** Shows the lines of a transcript that were skipped, and why, as a read-only document. */
export async function showSkipped({ coverage, file }: AgentView): Promise<void> {
  const lines = coverage.problems.map((problem) => `line ${problem.line}: ${problem.why}`);
  const content = [`${whole(coverage.skipped)} lines of ${file} were skipped:`, '', ...lines].join('\n');
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }));
}
