/** Whole counts as they are shown: `214`, `12,345`. What is not above 0 counts as 0. Without `Intl`, which takes longer to load than a hook may run. */
export function whole(count: number): string {
  const value = count > 0 ? Math.floor(count) : 0;
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 call`, `1,200 calls`; `plural` where an s does not make it. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${whole(count)} ${count === 1 ? singular : plural}`;
}
