/** A history as a file, for benchmarks that start with one. */

/**
 * The bytes of `incidents.sqlite` as compaction writes it, without its limits of number and size.
 *
 * @param {any} parts the bundle of the catalogue
 * @param {any} engine of `createSqlEngine`
 * @param {ReturnType<typeof import('./many-incidents.mjs').manyIncidents>} of
 * @returns {Promise<Uint8Array>}
 */
export async function snapshotOf(parts, engine, { incidents, sessions }) {
  const contents = parts.createContents();
  for (const incident of incidents)
    parts.applyRecord(contents, { k: 'incident', incident, stateAt: incident.updatedAt, mute: null });
  for (const session of sessions) parts.applyRecord(contents, { k: 'session', session });
  const json = (/** @type {Map<string, unknown>} */ table) =>
    new Map([...table].map(([id, value]) => [id, JSON.stringify(value)]));
  const rows = {
    incidents: json(contents.incidents),
    events: json(contents.events),
    learnings: json(contents.learnings),
    sessions: json(contents.sessions),
  };
  return parts.buildSnapshot(contents, rows, engine, parts.createBreather());
}

/**
 * The text of `recent.jsonl`: what every window knows without querying the database.
 *
 * @param {any} parts the bundle of the catalogue
 * @param {readonly any[]} incidents
 * @param {number} since milliseconds since the epoch
 */
export function recentOf(parts, incidents, since) {
  return incidents
    .filter(({ updatedAt }) => updatedAt >= since)
    .map((incident) => parts.encodeRecord({ k: 'incident', incident, stateAt: incident.updatedAt, mute: null }))
    .join('');
}
