/** Says something above the rows of a tree, or nothing. Sets only what changed: each message makes VS Code draw the tree (paced-changes.ts). */
export function sayAbove(tree: { message?: unknown }, message: string | undefined): void {
  // `TreeView.message` is '' before it is first set. Its type knows no undefined, but undefined takes a message away.
  if ((tree.message || undefined) !== message) tree.message = message;
}
