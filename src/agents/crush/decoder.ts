import type { DatabaseDecoder, DecoderContext } from '../decoder';
import { baseName, folderOf } from '../shared/decode';
import { createSessionsDecoder } from '../sqlite/sessions-decoder';
import { followSession } from './followed-session';
import { rowsOf } from './rows';

/** Decodes Crush's database, which holds the sessions of one project. */
export function createDecoder({ file, sqlite }: DecoderContext): DatabaseDecoder {
  const cwd = projectOf(file);
  return createSessionsDecoder(sqlite, { rowsOf, cwdOf: () => cwd, follow: ({ id }) => followSession(file, id, cwd) });
}

/** Returns the project of the database, which is in its `.crush`; '' if the database was copied elsewhere. */
function projectOf(file: string): string {
  const folder = folderOf(file);
  return baseName(folder) === '.crush' ? folderOf(folder) : '';
}
