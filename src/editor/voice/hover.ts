import * as vscode from 'vscode';
import { inertMarkdown } from './inert';

/** A paragraph of a tooltip. Its icon is ours; its text may contain words of others. */
export interface HoverLine {
  readonly text: string;
  /** Name of a codicon. */
  readonly icon?: string;
  readonly isStrong?: boolean;
}

/** Makes a tooltip of paragraphs. Empty paragraphs are left out. */
export function hoverOf(lines: readonly HoverLine[]): vscode.MarkdownString {
  const paragraphs = lines.flatMap(({ text, icon, isStrong = false }) => {
    const shown = inertMarkdown(text);
    if (shown === '') return [];
    return `${icon === undefined ? '' : `$(${icon}) `}${isStrong ? `**${shown}**` : shown}`;
  });
  return new vscode.MarkdownString(paragraphs.join('\n\n'), true);
}
