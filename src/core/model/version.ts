/** Range from the oldest to the newest version of a program, both included. */
export interface VersionRange {
  readonly oldest: string;
  readonly newest: string;
}

/** Numbers with dots, ignoring what follows them: `2.1.329 (Claude Code)`, `1.0.0-beta.2`. */
const VERSION = /^v?(\d{1,6}(?:\.\d{1,6}){1,3})(?![\d.])/;

/** Returns the version in a text that an agent wrote; null where there is none. It contains only digits and dots. */
export function versionIn(text: string | undefined): string | null {
  return VERSION.exec(text ?? '')?.[1] ?? null;
}

/**
 * Returns whether a version belongs to a tested release. Releases differ in their first two numbers: agents publish patches
 * every few days, and a patch loads and runs the same things as its release.
 *
 * @param version as returned by `versionIn`
 */
export function isTested(version: string, { oldest, newest }: VersionRange): boolean {
  const release = releaseOf(version);
  return release >= releaseOf(oldest) && release <= releaseOf(newest);
}

/** Combines the first two numbers into one. */
function releaseOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1_000_000 + minor;
}
