import { cutWords } from './format';

/** Titles: 80 characters in the panel, 26 in trees. */
export const PANEL_TITLE = 80;
export const TREE_TITLE = 26;

export function treeTitle(title: string): string {
  return cutWords(title, TREE_TITLE);
}

/** Title of a row whose description says why it is there: at 300 px it must not fill the row alone. */
const SHORT_TITLE = 20;

export function rowTitle(title: string, hasMoreToSay: boolean): string {
  return cutWords(title, hasMoreToSay ? SHORT_TITLE : TREE_TITLE);
}
