import { asRecord, type JsonRecord, parseRecord } from '../../base/util/json';

const NEWLINE = 0x0a;

/** Splits a stream of bytes into lines, each with its line break. Keeps an unfinished line; `rest` returns it at the end. */
export class LineSplitter {
  private pending: Buffer[] = [];

  *push(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, at + 1);
      from = at + 1;
      yield this.pending.length === 0 ? part : Buffer.concat([...this.pending.splice(0), part]);
    }
    if (from < chunk.length) this.pending.push(chunk.subarray(from));
  }

  rest(): Buffer {
    return Buffer.concat(this.pending.splice(0));
  }
}

/** Returns the object in a line of JSON; undefined for anything else. */
export function parseLine(line: Buffer | string): JsonRecord | undefined {
  const text = line.toString().trim();
  return text.startsWith('{') ? parseRecord(text) : undefined;
}

/** Returns a field that is an object; undefined for anything else. */
export function objectIn(record: JsonRecord | undefined, name: string): JsonRecord | undefined {
  return asRecord(record?.[name]);
}

export function textIn(record: JsonRecord | undefined, name: string): string | undefined {
  const value = record?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
