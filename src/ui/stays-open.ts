/**
 * Spread into the options of each list and input box. Without it VS Code closes one that a command of the palette opens, seen about once in
 * sixty times: the palette gives the focus back to a panel that had it, late, and takes it from the new list
 * (https://github.com/microsoft/vscode/issues/93950). Escape closes it.
 */
export const STAYS_OPEN = { ignoreFocusOut: true } as const;
