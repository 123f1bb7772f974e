import { spawnSync } from 'node:child_process';

/** The package lists are updated too, because a fresh machine has none. While another installation runs, apt-get waits. */
const APT = ['-q', '-o', 'DPkg::Lock::Timeout=300'];
const WITHIN = 5 * 60_000;

/**
 * Installs a program that tests need, if this is root and apt-get exists.
 *
 * @param {string} name of the package
 * @returns {string | null} why it could not; null: it is installed
 */
export function installPackage(name) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return `there is no ${name} on the path, and only root may install one (apt-get install ${name})`;
  // Some packages start their own server, which is not wanted.
  const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const { status, error } = spawnSync('apt-get', [...APT, ...step], { stdio: 'ignore', timeout: WITHIN, env });
    // Lists that could not be updated may still do.
    if (step[0] === 'install' && status !== 0) return `apt-get could not install ${name} (${error?.message ?? status})`;
  }
  return null;
}
