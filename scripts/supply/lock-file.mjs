// What a lock file must not hold.

/**
 * A package that comes from another place than the registry that is configured, or without a checksum. A lock file names no registry at
 * all here (`omit-lockfile-registry-resolved` in .npmrc), so a mirror of whoever wrote it cannot get in. Of packages for other platforms
 * npm writes no checksum; they are optional, and none is shipped.
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
