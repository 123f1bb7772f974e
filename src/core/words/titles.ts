import { cutWords } from './format';

/** Titles: 80 characters in the panel, 26 in trees. */
export const PANEL_TITLE = 80;
export const TREE_TITLE = 26;

export function treeTitle(title: string): string {
  return cutWords(title, TREE_TITLE);
}
