import type { AgentAdapter } from '../adapter';
import { crushDescriptor } from './descriptor';
import { printer } from '../sqlite/rows';
import { MESSAGES_AT_ONCE, rowsOf } from './rows';

const MAGIC = 'SQLite format 3\u0000';
const PLACE = /(?:^|[\\/])\.crush[\\/]crush\.db$/;

/** Crush: one database in WAL mode for the sessions of a project, inside the project. */
export const crush: AgentAdapter = {
  id: crushDescriptor.id,
  name: crushDescriptor.name,
  unit: 'database',
  locate: () => [],
  workspaceFiles: ['.crush/crush.db'],
  recognises(head, file) {
    // A young database is still entirely in its write-ahead log: then its place decides.
    if (PLACE.test(file)) return head === '' || head.startsWith(MAGIC) ? 'yes' : 'no';
    if (!head.startsWith(MAGIC)) return 'no';
    return /CREATE TABLE sessions \(/.test(head) && /parent_session_id TEXT/.test(head) ? 'yes' : 'no';
  },
  peek: () => ({}),
  decoder: 'crush',
  // Counted in the rows instead: freed pages hold copies of every call.
  callMarkers: [],
  print: printer({
    next: (image, session, behind) => rowsOf(image).messages(session, 0, behind),
    atOnce: MESSAGES_AT_ONCE,
    line: ({ role, parts }) => `${role} ${parts}`,
  }),
  tooLarge: 'This database is too large to read, and Crush has no export.',
  showsRunningTool: true,
  turnEnds: 'yes',
};
