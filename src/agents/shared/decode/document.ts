import type { AgentId } from '../../../model';
import type { DocumentDecoder } from '../../adapter';
import { Teller } from './teller';

/** One reading of a document: what is said of the whole, and its records in order. */
export interface Reading<T> {
  readonly records: readonly T[];
  /** Told before the first record, once. */
  begin(teller: Teller): void;
}

export interface DocumentFormat<T> {
  readonly agent: AgentId;
  readonly file: string;
  readonly session: string;
  /** A sentence where the text cannot be read as this format. */
  read(text: string): Reading<T> | string;
  /**
   * Tells one record. A record can grow while it is the last (a call gets its result): `once` is true the first time that it is
   * asked for a part of it.
   */
  record(teller: Teller, record: T, index: number, once: (part: string) => boolean): void;
  /** Told after each reading, for the end of a run. */
  ended?(teller: Teller, reading: Reading<T>, once: (part: string) => boolean): void;
}

/**
 * Decodes a document that is rewritten whole and only grows: records that were told are passed over, but for the last one.
 *
 * A text that cannot be read costs one problem until it can be read again: it may have been read while it was written.
 */
export function createDocument<T>(format: DocumentFormat<T>): DocumentDecoder {
  const teller = new Teller(format.agent, format.file, format.session);
  let begun = false;
  let told = 0;
  let broken = false;
  /** Parts of the last record, and of the whole, that were told. */
  let parts = new Set<string>();
  const whole = new Set<string>();
  const onceIn = (set: Set<string>) => (part: string) => !set.has(part) && set.add(part) !== undefined;
  return {
    unit: 'document',
    decode(text, sink) {
      teller.begin({ file: format.file, line: 1, offset: 0 }, sink);
      const reading = format.read(text);
      if (typeof reading === 'string') {
        if (!broken) teller.problem(reading);
        broken = true;
        return;
      }
      broken = false;
      if (!begun) reading.begin(teller);
      begun = true;
      for (let index = Math.max(0, told - 1); index < reading.records.length; index++) {
        const record = reading.records[index];
        if (record === undefined) continue;
        if (index >= told) parts = new Set();
        teller.begin({ file: format.file, line: index + 1, offset: index }, sink);
        format.record(teller, record, index, onceIn(parts));
        told = index + 1;
      }
      format.ended?.(teller, reading, onceIn(whole));
    },
  };
}
