import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { readText } from '../base/files';
import { type AgentId, type VersionRange, versionIn } from '../core/model';
import { asText, parseRecord } from './shared/decode';
import { descriptorOf } from './registry';

/** The versions of agents: those that were tested, and the one that is installed. */
export interface AgentVersions {
  /** Undefined for agents that take no messages. */
  readonly testedOf: (agent: AgentId) => VersionRange | undefined;
  /** The version of the program that a terminal would start; null where it cannot be known without running it. */
  readonly installedOf: (agent: AgentId) => Promise<string | null>;
  /** Would a terminal find its program? Null for agents without one, and where the PATH is not known. */
  readonly isFound: (agent: AgentId) => Promise<boolean | null>;
}

/** Bytes of a package.json. */
const LARGEST_MANIFEST = 256 * 1024;
/** Folders above a program in which its package may lie: `bin`, `dist/cli`. */
const ABOVE = 4;
/** Folders of a PATH that are looked into. */
const MOST_FOLDERS = 100;

/** @param path the PATH of this machine. Nothing is started: the program's own package says its version. */
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
      // On Windows a program has an ending, which differs by how it was installed.
      if (!launch || !path || delimiter === ';') return null;
      return (await programIn(path, launch.program)) !== null;
    },
  };
}

/** Returns the real path of the first program of this name on the PATH; null where there is none. */
async function programIn(path: string, name: string): Promise<string | null> {
  for (const folder of path.split(delimiter).slice(0, MOST_FOLDERS)) {
    const found = isAbsolute(folder) ? await realpath(join(folder, name)).catch(() => null) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * Reads the version from the package that contains the program, else from the name of its file: Claude Code's own installer
 * keeps its programs as `versions/2.1.329`.
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
