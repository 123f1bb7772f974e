/**
 * Everything that the editor shows in its own messages, lists, tooltips, trees and status bar goes through this folder, and comes out as plain words:
 * VS Code makes links, icons and markup from such texts. Lint keeps the editor's own functions for them out of all other folders.
 */
export type { HoverLine } from './hover';
export { type ListRow, askText, pickOne, pickSome, searchBox } from './lists';
export { askFirst, showError, inform, isAgreed, notify, sayInStatusBar, warn, withProgress } from './messages';
export { StatusItem } from './status-item';
export { openTerminal } from './terminal';
export { Tree, type TreeRow, type TreeRows } from './tree';
