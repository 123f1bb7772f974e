declare const UNSTUCK_BUILD: string | undefined;

/** Names the sources that this program was bundled from; undefined where it runs from its sources. */
export const build: string | undefined = typeof UNSTUCK_BUILD === 'undefined' ? undefined : UNSTUCK_BUILD;
