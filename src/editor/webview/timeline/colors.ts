/** The theme's colours and fonts for a canvas, to which style sheets do not apply. Read again when the theme changes. */
export interface Colors {
  /** Marks above the line, at `MARK` of their strength. */
  readonly mark: string;
  readonly quiet: string;
  readonly text: string;
  readonly line: string;
  readonly background: string;
  readonly trouble: string;
  readonly focus: string;
  readonly window: string;
  readonly highContrast: boolean;
  readonly font: string;
  readonly mono: string;
}

/** Strength of timeline marks and of hollow ones. */
export const MARK = 0.62;
export const HOLLOW = 0.9;

export function readColors(element: Element): Colors {
  const style = getComputedStyle(element);
  const first = (...names: readonly string[]) => {
    for (const name of names) {
      const value = style.getPropertyValue(`--vscode-${name}`).trim();
      if (value !== '') return value;
    }
    return style.color;
  };
  const classes = document.body.classList;
  return {
    mark: first('charts-foreground', 'foreground'),
    quiet: first('descriptionForeground', 'foreground'),
    text: first('foreground'),
    line: first('charts-lines', 'foreground'),
    background: first('editor-background'),
    trouble: first('list-warningForeground', 'editorWarning-foreground'),
    focus: first('focusBorder', 'foreground'),
    window: first('scrollbarSlider-background', 'charts-lines'),
    highContrast: classes.contains('vscode-high-contrast') || classes.contains('vscode-high-contrast-light'),
    font: first('font-family'),
    mono: first('editor-font-family', 'font-family'),
  };
}
