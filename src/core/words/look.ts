/** The theme colours of states, by their ids without `--vscode-`. */
export type Tone = 'none' | 'quiet' | 'trouble' | 'error' | 'info' | 'good';

/** Icon and colour of a state, or of an incident. */
export interface StateLook {
  /** Name of the codicon. */
  readonly icon: string;
  readonly tone: Tone;
}

/**
 * Returns the ThemeColor id of a tone, where it has one. In high contrast `list.warningForeground` is unset, so `editorWarning.foreground` is used
 * there.
 */
export function themeColor(tone: Tone, highContrast: boolean): string | undefined {
  switch (tone) {
    case 'none':
      return undefined;
    case 'quiet':
      return 'descriptionForeground';
    case 'trouble':
      return highContrast ? 'editorWarning.foreground' : 'list.warningForeground';
    case 'error':
      return 'list.errorForeground';
    case 'info':
      return 'charts.blue';
    case 'good':
      return 'charts.green';
  }
}
