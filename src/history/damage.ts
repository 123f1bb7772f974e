import { readFile, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../base/util/json';
import { isAbsent } from './errors';
import type { StorePaths } from './store-paths';
import type { StoreDamage } from './types';

const DAY = 24 * 60 * 60 * 1000;
/** Days for which damage is reported unless a person dismisses it. */
const REPORTED_DAYS = 7;

const count = z.int().check(z.gte(0));
const schema = z.object({
  v: z.literal(1),
  at: z.number(),
  saved: count,
  lost: z.nullable(count),
  lines: count,
  files: z.array(z.string()).check(z.minLength(1)),
});

const IN_JOURNALS = 'journal/';

/** Encodes `damage.json`, which tells a later window or a command what was found and repaired. */
export function encodeDamage(places: StorePaths, { files, ...damage }: StoreDamage): Buffer {
  const names = files.map((file) => (dirname(file) === places.journals ? IN_JOURNALS : '') + basename(file));
  return Buffer.from(`${JSON.stringify({ v: 1, ...damage, files: names })}\n`, 'utf8');
}

/** Returns the damage that was found last; null if there was none, or if it was dismissed or long ago. @param now milliseconds since the epoch */
export async function readDamage(places: StorePaths, now: number): Promise<StoreDamage | null> {
  const text = await readFile(places.damage, 'utf8').catch(() => '');
  const parsed = z.safeParse(schema, parseJson(text));
  if (!parsed.success || parsed.data.at < now - REPORTED_DAYS * DAY) return null;
  const { at, saved, lost, lines, files } = parsed.data;
  // Names only: the files are in this folder, wherever it was moved.
  const paths = files.map((name) =>
    join(name.startsWith(IN_JOURNALS) ? places.journals : places.folder, basename(name)),
  );
  return { at, saved, lost, lines, files: paths };
}

/** Stops reporting the damage. The damaged files stay. */
export async function forgetDamage(places: StorePaths): Promise<void> {
  await unlink(places.damage).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}
