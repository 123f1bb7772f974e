import { databaseOf } from '../opencode/adapter';
import { KILO } from '../opencode/program';

/** Kilo Code's command line, and its extension in the versions that run it: OpenCode's database under another name. */
export const kiloCode = databaseOf(KILO);
