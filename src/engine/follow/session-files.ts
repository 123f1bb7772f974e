import type { AgentAdapter } from '../../agents/adapter';
import type { SessionFiles } from '../../agents/transcripts';
import type { DatabaseSink, Decoder } from '../../agents/decoder';
import type { TranscriptLine } from '../../base/tail';
import { readWholeFile } from '../../base/tail';

/** The files of the session that a transcript belongs to; for most agents there is one. */
export function filesOfSession(adapter: AgentAdapter, file: string, cwd?: string): SessionFiles {
  return adapter.files?.(file, cwd) ?? { main: file, beside: [] };
}

/**
 * Reads the files that lie beside a session's main one, each to its end. They hold what came of the calls: read first, it is told in the
 * order of the calls. One that cannot be read is left out.
 */
export async function readBeside(
  adapter: AgentAdapter,
  file: string,
  line: (other: string, read: TranscriptLine) => void,
): Promise<void> {
  const { main, beside } = filesOfSession(adapter, file);
  for (const other of main === file ? beside : [])
    await readWholeFile(other, { unit: 'line', markers: [], line: (read) => line(other, read) }).catch(() => undefined);
}

/** Decodes one file to its end, without those beside it. Rejects where it cannot be read. */
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
