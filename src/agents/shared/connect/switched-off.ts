import { parseJsonTree, propertyOf } from './json-edit';
import { readSettingsFile } from './settings-file';

/**
 * Returns one sentence if `disableAllHooks`, as Claude Code and its relatives name it, switches an agent's hooks off; else null.
 *
 * @param name of the agent, as people see it
 * @param files its settings, the one that decides first; the first that says anything counts
 */
export async function switchedOffIn(name: string, files: readonly string[]): Promise<string | null> {
  for (const path of files) {
    const file = await readSettingsFile(path, 'user');
    const root = file.ok && file.value.text !== null ? parseJsonTree(file.value.text) : null;
    const value: unknown = root?.type === 'object' ? propertyOf(root, 'disableAllHooks')?.value : undefined;
    if (value === true) return `"disableAllHooks" is set in ${path}: ${name} runs no hook until it is removed.`;
    if (value === false) return null;
  }
  return null;
}
