import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { spool } from '../base/files';
import { UsageError } from './output';

/** Size limit of one pipe, bytes. */
const LARGEST = 4 * 1024 ** 3;
const STANDARD_INPUT = '-';

/** Paths of a command line. Pipes among them are copied to files, since a transcript is read from any position. */
export interface Piped {
  readonly paths: readonly string[];
  /** Returns the path as the person gave it. */
  readonly named: (file: string) => string;
  /** Deletes the copies. */
  readonly remove: () => void;
}

/** @param input standard input, which `-` names */
export async function piped(command: string, paths: readonly string[], input: Readable): Promise<Piped> {
  const names = new Map<string, string>();
  let folder: string | undefined;
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  const kept: string[] = [];
  try {
    for (const path of paths) {
      if (!isPipe(path)) {
        kept.push(path);
        continue;
      }
      if ([...names.values()].includes(path))
        throw new UsageError('usage', `unstuck ${command}: ${path} can be read only once.`);
      folder ??= mkdtempSync(join(tmpdir(), 'unstuck-'));
      // A transcript without a session gets this name.
      const file = join(folder, `standard-input${names.size === 0 ? '' : `-${names.size + 1}`}.jsonl`);
      const read = await spool(path === STANDARD_INPUT ? input : path, file, LARGEST);
      if (!read.ok) throw new UsageError('unreadable', `unstuck ${command}: ${path}: ${whyNot(read.error)}`);
      names.set(file, path);
      kept.push(file);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { paths: kept, named: (file) => names.get(file) ?? file, remove };
}

/** Reads all of standard input as text, for an option or a file named `-`. */
export async function standardInput(command: string, input: Readable, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    const bytes = Buffer.from(piece as Uint8Array | string);
    size += bytes.length;
    if (size > limit)
      throw new UsageError('unreadable', `unstuck ${command}: standard input is longer than ${limit} bytes.`);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** True for standard input, or for a pipe that a shell made: `<(zcat old.jsonl.gz)`, `/dev/stdin`. */
function isPipe(path: string): boolean {
  if (path === STANDARD_INPUT) return true;
  const stat = statSync(path, { throwIfNoEntry: false });
  return (
    stat !== undefined && (stat.isFIFO() || (stat.isCharacterDevice() && path === '/dev/stdin') || stat.isSocket())
  );
}

function whyNot({ reason, code }: { readonly reason: string; readonly code: string }): string {
  return reason === 'too_large' ? 'it is longer than 4 GB. Name a file.' : `it cannot be read (${code}).`;
}
