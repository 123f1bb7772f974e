import { join } from 'node:path';
import { cacheFolder, FileCache } from '../base/files';

declare const UNSTUCK_BUILD: string | undefined;

/** Identifies the sources that this program was bundled from; undefined if it runs from its sources. */
const build: string | undefined = typeof UNSTUCK_BUILD === 'undefined' ? undefined : UNSTUCK_BUILD;

/** Bytes of all entries: about a twentieth of the transcripts they represent, so these may be 5 GB. */
const LIMIT = 256 * 1024 * 1024;

/**
 * Opens the cache that all windows and commands of this person share; undefined if the program runs from its sources.
 *
 * @param blocks reading may hold up the event loop
 */
export function openTranscriptCache(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
  blocks = false,
): FileCache | undefined {
  if (build === undefined) return undefined;
  const folder = join(cacheFolder(env, platform, home), 'transcripts');
  return new FileCache({ folder, version: build, limit: LIMIT, now: Date.now, blocks });
}
