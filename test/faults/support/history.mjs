/** Reads what the history of the extension holds from its files, without the extension. */
import fs from 'node:fs';
import { join } from 'node:path';

/**
 * The incidents in the history, each once: its session, its rule, and its outcome.
 *
 * @param {string} dir temporary folder of the host
 * @returns {{ id: string, session: string, detector: string, state: string }[]} by session and rule
 */
export function incidentsIn(dir) {
  const folder = join(dir, 'user/User/globalStorage/unstuck.unstuck/incidents');
  // One history for each workspace; everything in the snapshot is in recent.jsonl, too.
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
  const byId = new Map();
  for (const file of files) {
    for (const line of readIfThere(file).split('\n')) {
      const record = parsed(line.slice(17));
      if (record?.k !== 'incident') continue;
      const { id, session, detector, state, updatedAt } = record.incident;
      if ((byId.get(id)?.updatedAt ?? 0) <= updatedAt) byId.set(id, { id, session, detector, state, updatedAt });
    }
  }
  return [...byId.values()]
    .map(({ id, session, detector, state }) => ({ id, session, detector, state }))
    .sort((a, b) => `${a.session} ${a.detector}`.localeCompare(`${b.session} ${b.detector}`));
}

/** The number of incidents of each session: `{ 'session one': 1 }`. @param {string} dir */
export function incidentsBySession(dir) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { session } of incidentsIn(dir)) counts[session] = (counts[session] ?? 0) + 1;
  return counts;
}

function readIfThere(/** @type {string} */ file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // moved into the history between listing and reading
  }
}

function parsed(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
