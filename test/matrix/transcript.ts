import type { Act, Call, Run } from './run';

/** Lines of a transcript, and the round of each: 0 before the first one. */
export interface Written {
  readonly lines: readonly string[];
  readonly rounds: readonly number[];
}

/** Writes down what happens at a time, in milliseconds, as the lines of a format; `n` counts them. */
export interface Format {
  readonly name: string;
  readonly head: (at: number) => readonly object[];
  readonly call: (call: Call, id: string, batch: string, at: number) => readonly object[];
  readonly result: (call: Call, id: string, at: number) => readonly object[];
  readonly act: (
    act: Exclude<Act, { does: 'message' | 'pause' | 'copies' }>,
    n: number,
    at: number,
  ) => readonly object[];
  /** Whether copied lines can be told from new ones. */
  readonly knowsCopies: boolean;
}

const BEGIN = Date.parse('2026-11-20T12:00:00Z');

/** Writes a run as a transcript; null where the format has no records for it. A call takes a second, unless its sign says otherwise. */
export function written(run: Run, format: Format): Written | null {
  const lines: string[] = [];
  const rounds: number[] = [];
  let at = BEGIN;
  let n = 0;
  let round = 0;
  const write = (records: readonly object[]): void => {
    for (const record of records) {
      lines.push(JSON.stringify(record));
      rounds.push(round);
    }
  };
  const act = (one: Act): boolean => {
    n++;
    at += 1000;
    switch (one.does) {
      case 'pause':
        at += one.seconds * 1000;
        return true;
      case 'copies':
        if (!format.knowsCopies) return false;
        for (const line of lines.slice()) {
          lines.push(line);
          rounds.push(round);
        }
        return true;
      case 'message': {
        const ids = one.calls.map((_, index) => `toolu_${n}_${index}`);
        one.calls.forEach((call, index) =>
          write(format.call(call, ids[index]!, one.calls.length > 1 ? `msg_${n}` : '', at)),
        );
        at += Math.max(...one.calls.map(({ seconds }) => seconds)) * 1000;
        const order = one.calls.map((_, index) => index);
        if (one.resultsInReverse) order.reverse();
        for (const index of order) write(format.result(one.calls[index]!, ids[index]!, at));
        return true;
      }
      default: {
        const records = format.act(one, n, at);
        write(records);
        return records.length > 0;
      }
    }
  };
  write(format.head(at));
  const opening: Act[] = run.before.some(({ does }) => does === 'prompt')
    ? []
    : [{ does: 'prompt', text: 'Fix the cart' }];
  let complete = [...opening, ...run.before].every(act);
  for (const acts of run.rounds) {
    round++;
    complete = acts.every(act) && complete;
  }
  round++;
  complete = run.after.every(act) && complete;
  return complete ? { lines, rounds } : null;
}
