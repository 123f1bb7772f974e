/**
 * Files that Unstuck itself writes in a project, which are therefore no work in progress while git does not track them: the inboxes, and the personal
 * settings into which Connect writes its entries. They are neither saved nor compared nor restored: a checkpoint that restored old settings would
 * undo a connection.
 */
const OWN = /(?:^|\/)(?:\.unstuck\/.+|\.claude\/settings\.local\.json)$/;

/** @param path from the top of the work tree, with slashes */
export function isOwnFile(path: string): boolean {
  return OWN.test(path);
}
