import type { AgentAdapter } from '../adapter';
import { baseName } from '../shared/decode';
import { hermesDescriptor } from './descriptor';
import { printer } from '../sqlite/rows';
import { MESSAGES_AT_ONCE, rowsOf } from './rows';

const MAGIC = 'SQLite format 3\u0000';
const FILE = 'state.db';

/** Hermes (experimental): one database in WAL mode for the sessions of all folders, and one for each profile. */
export const hermes: AgentAdapter = {
  id: hermesDescriptor.id,
  name: hermesDescriptor.name,
  unit: 'database',
  locate({ env, home, platform }) {
    const usual = platform === 'win32' ? `${env['LOCALAPPDATA'] || `${home}/AppData/Local`}/hermes` : `${home}/.hermes`;
    const folder = env['HERMES_HOME'] || usual;
    return [
      { path: folder, depth: 0, matches: (path) => path === FILE },
      { path: `${folder}/profiles`, depth: 1, matches: (path) => /^[^/]+\/state\.db$/.test(path) },
    ];
  },
  recognises(head, file) {
    if (baseName(file) !== FILE) return 'no';
    // A young database is still entirely in its write-ahead log: then its place decides.
    if (/[\\/]\.?hermes[\\/]/.test(file)) return head === '' || head.startsWith(MAGIC) ? 'yes' : 'no';
    return head.startsWith(MAGIC) && /parent_session_id TEXT/.test(head) && /tool_call_id TEXT/.test(head)
      ? 'yes'
      : 'no';
  },
  peek: () => ({}),
  decoder: 'hermes',
  // Counted in the rows instead: freed pages hold copies of every call.
  callMarkers: [],
  print: printer({
    next: (image, session, behind) => rowsOf(image).messages(session, behind),
    atOnce: MESSAGES_AT_ONCE,
    line: ({ role, content, calls }) => `${role} ${content}${calls}`,
  }),
  tooLarge: 'Write single sessions into files with `hermes sessions export`; Unstuck does not read those.',
  showsRunningTool: true,
  turnEnds: 'yes',
};
