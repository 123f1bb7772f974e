/** Longest title at the head of a panel; everywhere else the whole title stands, and the editor cuts what has no room. */
export const PANEL_TITLE = 80;
