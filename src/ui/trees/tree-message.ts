/** Says something above the rows of a tree, or nothing. Only what is new: a message, too, is something that is asked of the tree (paced-changes.ts). */
export function sayAbove(tree: { message?: unknown }, message: string | undefined): void {
  // A tree that said nothing yet says the empty text of itself. The API's type knows no undefined, but undefined is how a message is taken away.
  if ((tree.message || undefined) !== message) tree.message = message;
}
