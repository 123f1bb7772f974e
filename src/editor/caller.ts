/** An extension, as VS Code describes it. */
export interface ExtensionPlace {
  readonly id: string;
  /** Its folder. */
  readonly path: string;
}

/**
 * Finds the calling extension from the files on the stack, since VS Code hands the same object to all extensions. The first frame in the folder of an
 * extension other than `own` decides; '' if there is none. This distinguishes callers, but does not protect against one that hides.
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

/** Unifies paths, since Windows writes backslashes, and drive letters in either case. */
function unified(path: string): string {
  return path.replaceAll('\\', '/').toLowerCase();
}
