import type { DatabaseDecoder, DecoderContext } from '../decoder';
import { createSessionsDecoder } from '../sqlite/sessions-decoder';
import { followSession } from './followed-session';
import { type HermesRows, rowsOf, type SessionRow } from './rows';

/** Decodes Hermes's database, which holds the sessions of all folders of a profile. */
export function createDecoder({ file, sqlite }: DecoderContext): DatabaseDecoder {
  return createSessionsDecoder<SessionRow, HermesRows>(sqlite, {
    rowsOf,
    cwdOf: ({ cwd }) => cwd,
    follow: ({ id }) => followSession(file, id),
  });
}
