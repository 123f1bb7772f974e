import { databaseOf } from '../opencode/adapter';
import { KILO } from '../opencode/program';

/** Kilo Code's command line, and its extension since that runs it: OpenCode's database under another name. */
export const kiloCode = databaseOf(KILO);
