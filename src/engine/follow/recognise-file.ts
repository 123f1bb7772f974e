import type { AgentAdapter } from '../../agents/adapter';
import { readPart } from '../../base/files';
import { HEAD_BYTES } from '../../base/tail';
import { recognise } from './recognise';

/** A transcript of a known agent, with its first 64 KB. */
export interface RecognisedFile {
  readonly adapter: AgentAdapter;
  readonly head: Buffer;
}

/** Returns the agent that has written a file, by its head; null if no known agent wrote it or it cannot be read. */
export async function recogniseFile(adapters: readonly AgentAdapter[], file: string): Promise<RecognisedFile | null> {
  const read = await readPart(file, { from: 0, length: HEAD_BYTES });
  if (!read.ok) return null;
  const head = read.value.bytes;
  const adapter = recognise(adapters, head.toString('utf8'), file);
  return adapter ? { adapter, head } : null;
}
