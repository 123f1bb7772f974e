import type { TranscriptLine } from '../../../src/base/tail/types';
import { mutateLines, mutateText } from '../mutate';
import { framed } from '../reading';
import { passagesOf } from '../seeds';
import type { FuzzTarget } from '../target';

/** The lines of a file are the same however its bytes arrive, and they are where they say. */
export function tailTarget(texts: readonly string[]): FuzzTarget {
  let turn = 0;
  return {
    name: 'tail',
    counts: 'inputs',
    seeds: texts.flatMap(passagesOf),
    mutate: (input, other, random) => (random.once(3) ? mutateText(input, random) : mutateLines(input, other, random)),
    run(input, stopwatch) {
      const bytes = Buffer.from(input, turn++ % 2 === 0 ? 'utf8' : 'latin1');
      const whole: TranscriptLine[] = [];
      const pieces: TranscriptLine[] = [];
      framed(bytes, bytes.length, (line) => void whole.push(line), stopwatch);
      framed(bytes, 1 + (turn % 977), (line) => void pieces.push(line), stopwatch);
      if (JSON.stringify(whole) !== JSON.stringify(pieces)) throw new Error('lines that depend on how they arrive');
      for (const [index, { line, offset }] of whole.entries()) {
        if (line !== index + 1) throw new Error(`line ${index + 1} is numbered ${line}`);
        if (offset > 0 && bytes[offset - 1] !== 0x0a && bytes[offset - 1] !== 0)
          throw new Error(`no line begins at ${offset}`);
      }
      return 1;
    },
  };
}
