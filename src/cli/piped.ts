import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { spool } from '../base/files';
import { UsageError } from './output';

/** Bytes of one pipe, at most. */
const LARGEST = 4 * 1024 ** 3;
const STANDARD_INPUT = '-';

/** Paths of a command line, those that are pipes kept in files of their own: a transcript is read from any place in it. */
export interface Piped {
  readonly paths: readonly string[];
  /** The path as it was named. */
  readonly named: (file: string) => string;
  /** Deletes what was kept. */
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
        throw new UsageError('usage', `unstuck ${command}: ${path} can be read once only.`);
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

/** All of standard input as text, for an option or a file named `-`. */
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

/** Standard input, or a pipe that a shell made: `<(zcat old.jsonl.gz)`, `/dev/stdin`. */
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
