import type { AgentId } from '../../core/model';
import type { DatabaseDecoder, DecoderContext } from '../decoder';
import { createSessionsDecoder } from '../sqlite/sessions-decoder';
import { followSession } from './followed-session';
import { rowsOf, type OpencodeRows, type SessionRow } from './rows';

/** Milliseconds since its last change for which a session is still read: its row changes at each prompt, but not with each part. */
const ACTIVE_MS = 30 * 60_000;

/** Decodes OpenCode's database, which holds the sessions of all folders. */
export function createDecoder({ file, sqlite }: DecoderContext, agent: AgentId): DatabaseDecoder {
  return createSessionsDecoder<SessionRow, OpencodeRows>(sqlite, {
    rowsOf,
    cwdOf: ({ directory }) => directory,
    follow: ({ id }) => followSession(file, id, agent),
    activeFor: ACTIVE_MS,
  });
}
