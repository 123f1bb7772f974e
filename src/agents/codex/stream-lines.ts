import type { Peek } from '../transcripts';
import { copied, Recent, sessionOfFile } from '../shared/decode';

/** The first line of a run; a program may have written other lines above it. The first versions wrote `session.created`. */
const STARTED =
  /^[ \t]*\{"type":\s?"(?:thread\.started|session\.created)",\s?"(?:thread|session)_id":\s?"([^"\\]{1,100})"/m;

const ITEM = /^[^{]{0,20}\{"type":"item\.\w{1,20}","item":\{"id":"([^"\\]{1,100})"/;
/** Limit for items that run at the same time, far more than occur. */
const COUNTED = 1000;

export function recognisesStream(head: string): 'yes' | 'maybe' | 'no' {
  return STARTED.test(head) ? 'yes' : 'no';
}

export function peekStream(head: string, file: string): Peek {
  return { session: STARTED.exec(head)?.[1] ?? sessionOfFile(file) };
}

/** Counts each item once, by its id: it is printed when it begins, when it changes, and when it has ended. */
export function createStreamCalls(): (text: string, found: number) => number {
  const counted = new Recent<string, true>(COUNTED);
  let run = 0;
  return (text, found) => {
    if (STARTED.test(text)) run++;
    const id = found > 0 ? ITEM.exec(text)?.[1] : undefined;
    if (id === undefined) return 0;
    // A slice of the line would keep the whole line in memory.
    const key = `${run}/${copied(id)}`;
    if (counted.has(key)) return 0;
    counted.set(key, true);
    return 1;
  };
}
