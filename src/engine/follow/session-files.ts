import type { AgentAdapter } from '../../agents/adapter';
import type { SessionFiles } from '../../agents/transcripts';
import type { DatabaseSink, Decoder } from '../../agents/decoder';
import type { TranscriptLine } from '../../base/tail';
import { readWholeFile } from '../../base/tail';

/** Returns the files of the session that a transcript belongs to; for most agents there is only one. */
export function filesOfSession(adapter: AgentAdapter, file: string, cwd?: string): SessionFiles {
  return adapter.files?.(file, cwd) ?? { main: file, companions: [] };
}

/**
 * Reads the files next to a session's main one, each to its end. They hold the results of the calls: read first, these are reported in the order of
 * the calls. A file that cannot be read is left out.
 */
export async function readCompanions(
  adapter: AgentAdapter,
  file: string,
  line: (other: string, read: TranscriptLine) => void,
): Promise<void> {
  const { main, companions } = filesOfSession(adapter, file);
  for (const other of main === file ? companions : [])
    await readWholeFile(other, { unit: 'line', markers: [], line: (read) => line(other, read) }).catch(() => undefined);
}

/** Decodes one file to its end, without its companion files. Rejects if it cannot be read. */
export async function decodeFile(decoder: Decoder, file: string, sink: DatabaseSink): Promise<void> {
  await readWholeFile(file, {
    unit: decoder.unit,
    markers: [],
    line: (line) => decoder.unit === 'line' && decoder.decode(line, sink),
    document: (text) => decoder.unit === 'document' && decoder.decode(text, sink),
    database: (image, log) => (decoder.unit === 'database' ? decoder.decode(image, log, sink) : Promise.resolve()),
  });
  if (decoder.unit === 'line') decoder.settle?.(sink);
}
