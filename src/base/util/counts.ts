/**
 * Writes a whole count for display: `214`, `12,345`. A value that is not above 0 counts as 0. Does not use `Intl`, which takes longer to load than a
 * hook may run.
 */
export function whole(count: number): string {
  const value = count > 0 ? Math.floor(count) : 0;
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Writes a count with its noun: `1 call`, `1,200 calls`; `plural` where adding an s is not enough. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${whole(count)} ${count === 1 ? singular : plural}`;
}
