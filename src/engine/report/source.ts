import type { AgentAdapter } from '../../agents/adapter';
import { createDecoder } from '../../agents/decoders';
import type { SqlReader } from '../../agents/sqlite/reader';
import type { AgentEvent, Incident } from '../../core/model';
import { recogniseFile } from '../follow/recognise';
import { decodeFile, readCompanions } from '../follow/session-files';

export interface SourcePorts {
  readonly adapters: readonly AgentAdapter[];
  readonly sqlite: SqlReader | undefined;
  readonly readSmall: (path: string) => string | undefined;
}

/** Number of the newest events kept of a session, besides those at its start: a session may have millions. */
const NEWEST = 8_000;
const EARLIEST = 50;

/**
 * Returns the events of an incident's session up to the end of its transcript, oldest first; of a long one the first and the newest. Null if the
 * transcript cannot be read, or no longer belongs to that session.
 */
export async function eventsOf(
  incident: Pick<Incident, 'file' | 'session'>,
  { adapters, sqlite, readSmall }: SourcePorts,
): Promise<readonly AgentEvent[] | null> {
  const { file, session } = incident;
  const recognised = await recogniseFile(adapters, file);
  if (!recognised) return null;
  const { adapter } = recognised;
  const earliest: AgentEvent[] = [];
  let newest: AgentEvent[] = [];
  const sink = {
    event: (event: AgentEvent) => {
      if (event.session !== session) return;
      if (earliest.length < EARLIEST) return void earliest.push(event);
      newest.push(event);
      if (newest.length >= 2 * NEWEST) newest = newest.slice(-NEWEST);
    },
    problem: () => {},
    wants: (one: { session: string }) => one.session === session,
    read: () => {},
  };
  const decoder = createDecoder(adapter, { file, readSmall, ...(sqlite && { sqlite }) });
  try {
    await readCompanions(
      adapter,
      file,
      (other, line) => decoder.unit === 'line' && decoder.decodeCompanion?.(other, line, sink),
    );
    await decodeFile(decoder, file, sink);
  } catch {
    return null;
  }
  const events = [...earliest, ...newest.slice(-NEWEST)];
  return events.length > 0 ? events : null;
}
