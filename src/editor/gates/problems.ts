import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { contains } from '../../agents/inbox';
import type { GateFailure, GateReport } from '../../core/model';
import { signsInLine } from '../../base/util/showable';

/** Shows failures of the quality gates in the Problems view, until the gates of their folder run again. */
export class GateProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('Unstuck gates');
  /** Files that have entries, by the folder whose gates put them there. */
  private readonly filled = new Map<string, readonly vscode.Uri[]>();

  dispose(): void {
    this.collection.dispose();
  }

  /** Shows a run that has ended. A cancelled run says nothing, so the earlier entries stay. */
  show(report: GateReport): void {
    if (report.endedAt === null || report.verdict === 'cancelled') return;
    for (const uri of this.filled.get(report.folder) ?? []) this.collection.delete(uri);
    const found = new Map<string, vscode.Diagnostic[]>();
    for (const gate of report.results) {
      for (const failure of gate.failures) {
        const path = failurePath(failure, report.folder);
        if (path === null) continue;
        const diagnostics = found.get(path) ?? [];
        diagnostics.push(diagnosticOf(failure, gate.name));
        found.set(path, diagnostics);
      }
    }
    const uris = [...found].map(([path, diagnostics]) => {
      const uri = vscode.Uri.file(path);
      this.collection.set(uri, diagnostics);
      return uri;
    });
    this.filled.set(report.folder, uris);
  }
}

/** Returns the file that a failure names if it exists and is in the folder. Output of a program is not trusted with other paths. */
export function failurePath({ file }: GateFailure, folder: string): string | null {
  if (file === undefined) return null;
  try {
    const path = resolve(folder, file);
    return contains(realpathSync(folder), realpathSync(path)) ? path : null;
  } catch {
    return null;
  }
}

function diagnosticOf({ line, column, message, test }: GateFailure, gate: string): vscode.Diagnostic {
  const row = Math.max(0, (line ?? 1) - 1);
  const start = Math.max(0, (column ?? 1) - 1);
  const range = new vscode.Range(row, start, row, column === undefined ? Number.MAX_SAFE_INTEGER : start + 1);
  const words = signsInLine(test === undefined ? message : `${test}: ${message}`);
  const diagnostic = new vscode.Diagnostic(range, words, vscode.DiagnosticSeverity.Error);
  diagnostic.source = `Unstuck, ${signsInLine(gate)}`;
  return diagnostic;
}
