import { checksumOf } from '../checksum';
import type { ProcessIdentity } from '../windows/process-id';
import { type StoreRecord, asStoreRecord } from './records';

/**
 * Encodes a journal line: 16 hex digits of the SHA-256 of the JSON, a space, the JSON, a line feed. A line that was torn by a crash fails its
 * checksum or lacks its line feed; it was never acknowledged.
 */
export function encodeRecord(record: StoreRecord): string {
  const json = JSON.stringify(record);
  return `${checksumOf(json)} ${json}\n`;
}

/** Returns the record of a line without its line feed; `damaged` for a line that fails its checksum, `unknown` for one of another version. */
export function decodeLine(line: string): StoreRecord | 'damaged' | 'unknown' {
  const json = line.slice(17);
  if (line.charCodeAt(16) !== 32 || line.slice(0, 16) !== checksumOf(json)) return 'damaged';
  try {
    return asStoreRecord(JSON.parse(json)) ?? 'unknown';
  } catch {
    return 'damaged';
  }
}

/** Parts of a journal's name: a unique id, its writer, and whether it is still being written. */
export interface JournalName {
  /** The name without its ending: the same before and after sealing. */
  readonly base: string;
  readonly writer: ProcessIdentity;
  /** The journal is no longer written. */
  readonly sealed: boolean;
}

const OPEN = '.jsonl';
const SEALED = '.sealed.jsonl';

/** @param id unique, of letters and digits */
export function journalBase(id: string, writer: ProcessIdentity): string {
  return [id, writer.host, writer.boot, writer.pid, writer.start].join('.');
}

export function journalFile(base: string, sealed: boolean): string {
  return base + (sealed ? SEALED : OPEN);
}

/** Returns undefined for any other file. */
export function parseJournalName(file: string): JournalName | undefined {
  const match =
    /^(?<base>\w+\.(?<host>[0-9a-f]+)\.(?<boot>[0-9a-f]+)\.(?<pid>\d+)\.(?<start>\d+))(?<sealed>\.sealed)?\.jsonl$/.exec(
      file,
    );
  const groups = match?.groups;
  if (!groups) return undefined;
  const { base = '', host = '', boot = '', pid = '', start = '' } = groups;
  return { base, writer: { host, boot, pid: Number(pid), start }, sealed: groups['sealed'] !== undefined };
}
