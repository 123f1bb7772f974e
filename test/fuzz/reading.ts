import type { AgentAdapter, DecodeSink } from '../../src/agents/adapter';
import { Framer, ShrinkerPool } from '../../src/tail/lines/framer';
import { Shrinker } from '../../src/tail/lines/shrink';
import type { TailLine } from '../../src/tail/types';
import type { Stopwatch } from './target';

const pool = new ShrinkerPool();

/** The lines of some bytes as the reader of files gives them, long strings cut. The bytes come in pieces of `piece`. */
export function framed(bytes: Buffer, piece: number, give: (line: TailLine) => void): void {
  const framer = new Framer({ line: give, problem: () => {} }, [], pool);
  framer.begin(0, 0);
  for (let from = 0; from < bytes.length; from += piece) {
    const chunk = bytes.subarray(from, from + piece);
    framer.feed(chunk, 0, () => false);
  }
  framer.finish();
  framer.release();
}

/**
 * Decodes a transcript as it is read from a file. A step is a line, or a whole document, which counts as one line.
 */
export function decoded(adapter: AgentAdapter, text: string, sink: DecodeSink, stopwatch: Stopwatch): number {
  const decoder = adapter.createDecoder({ file: '/work/session.jsonl', readSmall: () => undefined });
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
  framed(bytes, bytes.length, (line) => {
    lines++;
    stopwatch.step(() => decoder.decode(line, sink));
  });
  return lines;
}
