import { basename, join } from 'node:path';
import { applicationData, type DataPlace } from '../../../base/files';

export interface StorageSituation extends DataPlace {
  /** Folder of the extension that is being uninstalled: `<extensions>/<publisher>.<name>-<version>`. */
  readonly extension: string;
  /** Returns the names in a folder; none if it cannot be read. */
  readonly list: (folder: string) => readonly string[];
}

/** Matches `unstuck.unstuck` in `unstuck.unstuck-0.2.0-linux-x64`. */
const ID = /^([\w-]+\.[\w-]+?)-\d/;

/**
 * Lists the folders in which editors of the VS Code family keep the storage of an extension that is being uninstalled. The script cannot know which
 * editor it was, so all of this person's are included: next to the extensions of a server or a portable installation, and in the folder of each
 * product.
 */
export function storagesOf({ extension, list, ...place }: StorageSituation): readonly string[] {
  const id = ID.exec(basename(extension))?.[1]?.toLowerCase();
  if (id === undefined) return [];
  const installation = join(extension, '..', '..');
  const products = applicationData(place);
  const users = [
    join(installation, 'data', 'User'),
    join(installation, 'user-data', 'User'),
    ...list(products).map((product) => join(products, product, 'User')),
  ];
  return users.map((user) => join(user, 'globalStorage', id)).filter((storage) => list(storage).includes('hook'));
}
