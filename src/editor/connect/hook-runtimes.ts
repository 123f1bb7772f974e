import { findRuntimes } from '../../agents/inbox';

/**
 * Returns programs that can run the hook, best first. A desktop editor's own binary is left out: it would open a window.
 *
 * @param named the setting `unstuck.connect.runtime`; empty if the user names none.
 */
export async function hookRuntimes(named: string): Promise<readonly string[]> {
  const self = /(^|[\\/])node(\.exe)?$/.test(process.execPath) ? process.execPath : '';
  const found = await findRuntimes(self, process.env['PATH']);
  return named === '' ? found : [named, ...found];
}
