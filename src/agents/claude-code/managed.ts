import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { propertyOf, parseJsonTree } from '../shared/connect/json-edit';
import { readSettingsFile } from '../shared/connect/settings-file';

/**
 * Returns the folder for an organisation's settings that override a person's own: `managed-settings.json` and the files of `managed-settings.d` next
 * to it (Claude Code's documentation, "Managed settings"). Policies of the registry and of device management cannot be read here.
 */
export function managedFolder(platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return '/Library/Application Support/ClaudeCode';
    case 'win32':
      return String.raw`C:\Program Files\ClaudeCode`;
    default:
      return '/etc/claude-code';
  }
}

/** Largest number of files read from `managed-settings.d`, in the order of their names. */
const MOST_FILES = 50;

/** Returns one sentence if an organisation's settings keep a person's hooks from running; else null. */
export async function switchedOffByOrganisation(folder: string): Promise<string | null> {
  const dropIns = join(folder, 'managed-settings.d');
  const names = await readdir(dropIns).catch(() => []);
  const files = [
    join(folder, 'managed-settings.json'),
    ...names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .slice(0, MOST_FILES)
      .map((name) => join(dropIns, name)),
  ];
  // A later file overrides an earlier one.
  const found = new Map<string, { readonly path: string; readonly value: unknown }>();
  for (const path of files) {
    const file = await readSettingsFile(path, 'user');
    const root = file.ok && file.value.text !== null ? parseJsonTree(file.value.text) : null;
    for (const name of SWITCHES) {
      const value: unknown = root?.type === 'object' ? propertyOf(root, name)?.value : undefined;
      if (value !== undefined) found.set(name, { path, value });
    }
  }
  for (const name of SWITCHES) {
    const one = found.get(name);
    if (one?.value === true)
      return `"${name}" is set in ${one.path}, by your organisation: Claude Code runs no hook of yours, so messages do not reach it.`;
  }
  return null;
}

const SWITCHES = ['disableAllHooks', 'allowManagedHooksOnly'] as const;
