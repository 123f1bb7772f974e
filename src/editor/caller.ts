/** An extension as VS Code knows it. */
export interface ExtensionPlace {
  readonly id: string;
  /** Its folder. */
  readonly path: string;
}

/**
 * Finds the extension that called, by the files on the stack: VS Code hands the same object to all of them. The first frame that lies in the folder
 * of another extension than `own` decides; '' where none does. It tells callers apart, and is no protection against one that hides.
 *
 * @param stack of an `Error` that was made in the call
 * @param own the id of this extension
 */
export function callerOf(stack: string, extensions: readonly ExtensionPlace[], own: string): string {
  for (const line of stack.split('\n').slice(1)) {
    const frame = unified(line);
    const found = extensions.find(({ path }) => frame.includes(`${unified(path).replace(/\/$/, '')}/`));
    if (found && found.id !== own) return found.id;
  }
  return '';
}

/** Windows writes backslashes, and drives in either case. */
function unified(path: string): string {
  return path.replaceAll('\\', '/').toLowerCase();
}
