import { createDecoder } from '../../src/agents/decoders';
import type { AgentAdapter } from '../../src/agents/adapter';
import type { DecodeSink } from '../../src/agents/decoder';
import { Framer, ShrinkerPool } from '../../src/base/tail/lines/framer';
import { Shrinker } from '../../src/base/tail/lines/shrink';
import type { TranscriptLine } from '../../src/base/tail/types';
import type { Stopwatch } from './target';

const pool = new ShrinkerPool();

/**
 * The lines of some bytes as the file reader produces them, long strings cut. The bytes come in pieces of `piece`. The reader is told to pause at
 * every second request, so that it makes progress.
 */
export function framed(bytes: Buffer, piece: number, give: (line: TranscriptLine) => void, { step }: Stopwatch): void {
  const framer = new Framer({ line: give, problem: () => {} }, [], pool);
  let pauses = false;
  const pause = () => (pauses = !pauses);
  framer.begin(0, 0);
  for (let from = 0; from < bytes.length; from += piece) {
    const chunk = bytes.subarray(from, from + piece);
    for (let at = 0; at < chunk.length; ) at = step(() => framer.feed(chunk, at, pause));
  }
  step(() => framer.finish());
  framer.release();
}

/**
 * Decodes a transcript as it is read from a file. A step is a few lines, up to where the reader pauses, or a whole document, which counts as one
 * line. Returns the number of lines.
 */
export function decoded(adapter: AgentAdapter, text: string, sink: DecodeSink, stopwatch: Stopwatch): number {
  const decoder = createDecoder(adapter, { file: '/work/session.jsonl', readSmall: () => undefined });
  const bytes = Buffer.from(text);
  if (decoder.unit === 'database') throw new Error('a database has no lines');
  if (decoder.unit === 'document') {
    const shrinker = new Shrinker(Number.POSITIVE_INFINITY);
    shrinker.feed(bytes, 0, bytes.length);
    const document = shrinker.finish().text;
    stopwatch.step(() => decoder.decode(document, sink));
    return 1;
  }
  let lines = 0;
  const give = (line: TranscriptLine) => {
    lines++;
    decoder.decode(line, sink);
  };
  framed(bytes, bytes.length, give, stopwatch);
  stopwatch.step(() => decoder.settle?.(sink));
  return lines;
}
