import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { readText } from '../base/files';
import { type AgentId, type VersionRange, versionIn } from '../core/model';
import { asText, parseRecord } from './shared/decode';
import { descriptorOf } from './registry';

/** The versions of agents: those that were tested, and the one that is installed. */
export interface AgentVersions {
  /** Returns undefined for agents that take no messages. */
  readonly testedOf: (agent: AgentId) => VersionRange | undefined;
  /** Returns the version of the program that a terminal would start; null if it cannot be determined without running it. */
  readonly installedOf: (agent: AgentId) => Promise<string | null>;
  /** Returns whether a terminal would find its program. Null for agents without one, and if the PATH is unknown. */
  readonly isFound: (agent: AgentId) => Promise<boolean | null>;
}

/** Size limit in bytes for a package.json. */
const LARGEST_MANIFEST = 256 * 1024;
/** Number of folders above a program that may contain its package: `bin`, `dist/cli`. */
const ABOVE = 4;
/** Number of PATH folders that are searched. */
const MOST_FOLDERS = 100;

/** @param path the PATH of this machine. Nothing is started: the version comes from the program's own package. */
export function createVersions(path: string | undefined): AgentVersions {
  return {
    testedOf: (agent) => descriptorOf(agent)?.tested,
    async installedOf(agent) {
      const { launch, packages } = descriptorOf(agent) ?? {};
      if (!launch || !packages) return null;
      const program = await programIn(path ?? '', launch.program);
      return program === null ? null : versionOf(program, packages);
    },
    async isFound(agent) {
      const { launch } = descriptorOf(agent) ?? {};
      // On Windows a program has an extension, which depends on how it was installed.
      if (!launch || !path || delimiter === ';') return null;
      return (await programIn(path, launch.program)) !== null;
    },
  };
}

/** Returns the real path of the first program with this name on the PATH; null if there is none. */
async function programIn(path: string, name: string): Promise<string | null> {
  for (const folder of path.split(delimiter).slice(0, MOST_FOLDERS)) {
    const found = isAbsolute(folder) ? await realpath(join(folder, name)).catch(() => null) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * Reads the version from the package that contains the program, else from the name of its file: Claude Code's own installer stores its programs as
 * `versions/2.1.329`.
 */
async function versionOf(program: string, packages: readonly string[]): Promise<string | null> {
  let folder = dirname(program);
  for (let above = 0; above < ABOVE; above++, folder = dirname(folder)) {
    const file = await readText(join(folder, 'package.json'), { limit: LARGEST_MANIFEST });
    const manifest = file.ok ? parseRecord(file.value) : undefined;
    if (packages.includes(asText(manifest?.['name']) ?? '')) return versionIn(asText(manifest?.['version']));
  }
  return basename(dirname(program)) === 'versions' ? versionIn(basename(program)) : null;
}
