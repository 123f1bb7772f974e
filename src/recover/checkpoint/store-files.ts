import { join } from 'node:path';
import { type Result, ok } from '../../base/util/result';
import type { CheckpointFailure } from './failure';
import { type Bytes, type FoundEntry, pathText } from './files';
import type { Meter } from './meter';
import type { WorkTree } from './work-tree';
import type { BareGit } from './workshop';

/** Amount that is copied before git takes it. */
const BATCH = { bytes: 64 * 1024 * 1024, files: 500 };

export interface LeftOutFile {
  readonly path: string;
  /** `special`: a pipe, a socket or a device in place of a file, or a file that may not be read. */
  readonly why: 'too_large' | 'repository' | 'special';
}

interface Stored {
  /** Object ids by path. */
  readonly objects: ReadonlyMap<Bytes, string>;
  readonly leftOut: readonly LeftOutFile[];
}

/**
 * Makes objects of files, as they are. Git gets copies: if a link or a pipe replaced a file meanwhile, it would follow the link or wait for the pipe.
 *
 * @param largest a file that grew beyond it is left out; bytes
 */
export async function storeFiles(
  { files, top }: WorkTree,
  { git, folder }: BareGit,
  all: readonly { readonly path: Bytes; readonly found: FoundEntry }[],
  largest: number,
  meter: Meter,
): Promise<Result<Stored, CheckpointFailure>> {
  const objects = new Map<Bytes, string>();
  const leftOut: LeftOutFile[] = [];
  let batch: { readonly path: Bytes; readonly copy: string }[] = [];
  let bytes = 0;
  for (const { found } of all) meter.expect(found.size);
  for (const [at, { path }] of all.entries()) {
    const copy = String(at);
    const size = await files.copy(top, path, join(folder, copy), largest);
    if (typeof size === 'string') leftOut.push({ path: pathText(path), why: size });
    else {
      batch.push({ path, copy });
      bytes += size;
      meter.read(size);
    }
    if (bytes < BATCH.bytes && batch.length < BATCH.files && at < all.length - 1) continue;
    const input = batch.map((one) => `${one.copy}\n`).join('');
    const hashed = await git.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input });
    if (!hashed.ok) return hashed;
    const names = hashed.value.split('\n');
    for (const [n, one] of batch.entries()) {
      objects.set(one.path, names[n] ?? '');
      await files.remove(join(folder, one.copy));
    }
    batch = [];
    bytes = 0;
  }
  return ok({ objects, leftOut });
}
