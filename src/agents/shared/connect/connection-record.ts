import { createHash } from 'node:crypto';
import { mkdir, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readText, replaceFile } from '../../../base/files';
import { parseJson } from '../../../base/util/json';

/** Size limit for a record in bytes. */
const LARGEST = 1024 * 1024;

const recordSchema = z.object({
  v: z.literal(1),
  agent: z.string(),
  /** The settings file that was written. */
  file: z.string(),
  connectedAt: z.number(),
  /** Workspace folders whose inboxes the hook checks for it. */
  roots: z.array(z.string()),
  /** SHA-256 of the text that was written. As long as it is the same, removing the spans restores the file. */
  digest: z.string(),
  /** SHA-256 of Unstuck's entries as they were written: while it is the same, they were not changed by hand. Absent in records of 0.1.0. */
  entries: z.exactOptional(z.string()),
  spans: z.array(z.tuple([z.number(), z.number()])),
  kept: z.object({ hooks: z.boolean(), events: z.array(z.string()) }),
  createdFile: z.boolean(),
  createdFolder: z.boolean(),
});

/**
 * Record of Connect's changes to one settings file. It holds no text of the file, which may contain secrets: only the insertions and their places.
 */
export type ConnectionRecord = Readonly<z.infer<typeof recordSchema>>;

export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function pathOf(hookFolder: string, file: string): string {
  return join(hookFolder, 'connections', `${digestOf(file).slice(0, 16)}.json`);
}

async function readOne(path: string): Promise<ConnectionRecord | null> {
  const read = await readText(path, { limit: LARGEST });
  const parsed = z.safeParse(recordSchema, parseJson(read.ok ? read.value : ''));
  return parsed.success ? parsed.data : null;
}

/** Reads the record of a settings file; null if there is none, or if it cannot be read. */
export async function readRecord(hookFolder: string, file: string): Promise<ConnectionRecord | null> {
  const record = await readOne(pathOf(hookFolder, file));
  return record?.file === file ? record : null;
}

export async function readRecords(hookFolder: string): Promise<readonly ConnectionRecord[]> {
  const folder = join(hookFolder, 'connections');
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readOne(join(folder, name))),
  );
  return records.filter((record) => record !== null);
}

/** Writes a record. Throws system errors. */
export async function writeRecord(hookFolder: string, record: ConnectionRecord): Promise<void> {
  const path = pathOf(hookFolder, record.file);
  await mkdir(join(hookFolder, 'connections'), { recursive: true, mode: 0o700 });
  await replaceFile(path, `${JSON.stringify(record)}\n`);
}

export async function removeRecord(hookFolder: string, file: string): Promise<void> {
  await unlink(pathOf(hookFolder, file)).catch(() => undefined);
}
