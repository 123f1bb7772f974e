import * as vscode from 'vscode';
import { speak } from '../util/l10n';

/** Speaks the display language of the editor, where we have it. The editor has read our bundle for it by now; for English it reads none. */
export function speakAsEditor(): void {
  const { bundle } = vscode.l10n;
  speak(bundle && { language: vscode.env.language, texts: bundle });
}
