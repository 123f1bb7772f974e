/** The files that are made from the sources, as they have to be, by path from the root. */
export function generated(): Promise<ReadonlyMap<string, string>>;
