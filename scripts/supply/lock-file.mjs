// Finds what a lock file must not contain.

/**
 * Reports packages that come from elsewhere than the configured registry, or without a checksum. A lock file names no registry at all here
 * (`omit-lockfile-registry-resolved` in .npmrc), so its author's mirror cannot get in. For packages of other platforms npm writes no checksum; they
 * are optional, and none is shipped.
 * @param {Record<string, { resolved?: string, integrity?: string, optional?: boolean }>} installed `packages` of a lock file
 */
export function lockFileProblems(installed) {
  const problems = [];
  for (const [path, { resolved, integrity, optional }] of Object.entries(installed)) {
    if (path === '') continue;
    if (resolved !== undefined) problems.push(`${path} names where it comes from: ${resolved}`);
    if (integrity === undefined && optional !== true) problems.push(`${path} has no checksum`);
  }
  return problems;
}
