import type { AgentAdapter } from '../../agents/adapter';
import { readPart } from '../../base/files';
import { HEAD_BYTES } from '../../base/tail';

/** Returns the adapter that is sure of a file; otherwise the first that thinks it may be its own. Takes one step for each adapter tried. */
export function* recognising(
  adapters: readonly AgentAdapter[],
  head: string,
  file: string,
): Generator<undefined, AgentAdapter | undefined> {
  let maybe: AgentAdapter | undefined;
  for (const adapter of adapters) {
    const answer = adapter.recognises(head, file);
    if (answer === 'yes') return adapter;
    if (answer === 'maybe') maybe ??= adapter;
    yield;
  }
  return maybe;
}

/** Does the same in one go. */
export function recognise(adapters: readonly AgentAdapter[], head: string, file: string): AgentAdapter | undefined {
  const steps = recognising(adapters, head, file);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

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
