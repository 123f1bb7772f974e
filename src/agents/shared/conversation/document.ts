import type { AgentId } from '../../../core/model';
import type { DocumentDecoder } from '../../decoder';
import { RecordEmitter } from './record-emitter';

/** One reading of a document: facts about the whole, and its records in order. */
export interface DocumentReading<T> {
  readonly records: readonly T[];
  /** Emits everything before the first record, once. */
  begin(emitter: RecordEmitter): void;
}

export interface DocumentFormat<T> {
  readonly agent: AgentId;
  readonly file: string;
  readonly session: string;
  /** Returns a sentence if the text cannot be read as this format. */
  read(text: string): DocumentReading<T> | string;
  /**
   * Emits one record. A record can grow while it is the last (a call gets its result): `once` returns true the first time it is called for a part of
   * the record.
   */
  record(emitter: RecordEmitter, record: T, index: number, once: (part: string) => boolean): void;
  /** Called after each reading, for the end of a run. */
  ended?(emitter: RecordEmitter, reading: DocumentReading<T>, once: (part: string) => boolean): void;
}

/**
 * Decodes a document that is rewritten whole and only grows: of the records already emitted, only the last is read again.
 *
 * An unreadable text counts as one problem until it can be read again: it may have been read while it was being written.
 */
export function createDocument<T>(
  format: DocumentFormat<T>,
  emitter = new RecordEmitter(format.agent, format.file, format.session),
): DocumentDecoder {
  let begun = false;
  let done = 0;
  let broken = false;
  /** Emitted parts of the last record, and of the whole document. */
  let parts = new Set<string>();
  const whole = new Set<string>();
  const onceIn = (set: Set<string>) => (part: string) => !set.has(part) && set.add(part) !== undefined;
  return {
    unit: 'document',
    decode(text, sink) {
      emitter.begin({ file: format.file, line: 1, offset: 0 }, sink);
      const reading = format.read(text);
      if (typeof reading === 'string') {
        if (!broken) emitter.problem(reading);
        broken = true;
        return;
      }
      broken = false;
      if (!begun) reading.begin(emitter);
      begun = true;
      for (let index = Math.max(0, done - 1); index < reading.records.length; index++) {
        const record = reading.records[index];
        if (record === undefined) continue;
        if (index >= done) parts = new Set();
        emitter.begin({ file: format.file, line: index + 1, offset: index }, sink);
        format.record(emitter, record, index, onceIn(parts));
        done = index + 1;
      }
      format.ended?.(emitter, reading, onceIn(whole));
    },
  };
}
