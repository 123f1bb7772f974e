import * as vscode from 'vscode';
import { type StateLook, themeColor } from '../../core/words';

/** Returns an icon in the colour of its tone, as the active theme has it. */
export function themeIcon({ icon, tone }: StateLook): vscode.ThemeIcon {
  const { kind } = vscode.window.activeColorTheme;
  const highContrast = kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
  const color = themeColor(tone, highContrast);
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}
