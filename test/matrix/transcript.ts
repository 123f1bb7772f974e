import type { Act, Call, Run } from './run';

/** Lines of a transcript, and the round of each: 0 before the first one. */
export interface Written {
  readonly lines: readonly string[];
  readonly rounds: readonly number[];
}

/** An act other than calls and pauses. */
export type Noted = Exclude<Act, { does: 'message' | 'pause' | 'copies' }>;

/** Writes what happens at a time, in milliseconds, as the records of a format. */
export interface Format {
  readonly name: string;
  readonly head: (at: number) => readonly object[];
  /** `message` is empty if the call is not part of a batch. */
  readonly call: (call: Call, id: string, message: string, at: number) => readonly object[];
  readonly result: (call: Call, id: string, at: number) => readonly object[];
  /** The records of an act; empty where the format has no such record. `isLast`: no call follows it. */
  readonly act: (act: Noted, id: string, isLast: boolean, at: number) => readonly object[];
  /** True if copied records can be distinguished from new ones. */
  readonly knowsCopies: boolean;
}

const BEGIN = Date.parse('2026-11-20T12:00:00Z');
const SECOND_MS = 1000;

/** Writes a run as a transcript; null where the format has no records for it. A call takes a second unless its sign says otherwise. */
export function written(run: Run, format: Format): Written | null {
  const lines: string[] = [];
  const rounds: number[] = [];
  let at = BEGIN;
  const acts = actsIn(run);
  const put = (round: number, texts: readonly string[]): void => {
    lines.push(...texts);
    rounds.push(...texts.map(() => round));
  };
  put(0, texts(format.head(at)));
  for (const [index, { round, act }] of acts.entries()) {
    at += SECOND_MS;
    switch (act.does) {
      case 'pause':
        at += act.seconds * SECOND_MS;
        break;
      case 'copies':
        if (!format.knowsCopies) return null;
        put(round, [...lines]);
        break;
      case 'message': {
        const message = act.calls.length > 1 ? `msg_${index}` : '';
        const calls = act.calls.map((call, place) => ({ call, id: `toolu_${index}_${place}` }));
        for (const { call, id } of calls) put(round, texts(format.call(call, id, message, at)));
        at += Math.max(...act.calls.map(({ seconds }) => seconds)) * SECOND_MS;
        if (act.resultsInReverse) calls.reverse();
        for (const { call, id } of calls) put(round, texts(format.result(call, id, at)));
        break;
      }
      default: {
        const records = format.act(act, String(index), acts[index + 1]?.act.does !== 'message', at);
        if (records.length === 0) return null;
        put(round, texts(records));
      }
    }
  }
  return { lines, rounds };
}

const texts = (records: readonly object[]): string[] => records.map((record) => JSON.stringify(record));

/** The acts of a run with the round of each. A run begins with a prompt. */
function actsIn({ before, rounds, after }: Run): { readonly round: number; readonly act: Act }[] {
  const prompt: Act = { does: 'prompt', text: 'Fix the cart' };
  const opening = before.some(({ does }) => does === 'prompt') ? before : [prompt, ...before];
  return [opening, ...rounds, after].flatMap((acts, round) => acts.map((act) => ({ round, act })));
}
