import type { DecoderContext } from '../decoder';
import { asText, at, baseName, folderOf, type JsonRecord, parseRecord, sessionOfFile } from '../shared/decode';

const FILE = 'messages.jsonl';
/** `session_20260707_164326_bfb00a59`, a sub-agent's `explore_20260707_164401_1f5d2c3e`. */
const NAMED = /_([0-9A-Za-z-]{4,40})$/;

export interface VibePlace {
  /** The part of the session's id that is in the name of its folder. */
  readonly session: string;
  readonly parent?: string;
}

/** Returns the place of a file. A sub-agent's folder is in `agents/` of the session that started it. */
export function vibePlace(file: string): VibePlace {
  if (baseName(file) !== FILE) return { session: sessionOfFile(file) };
  const folder = folderOf(file);
  const above = folderOf(folder);
  const parent = baseName(above) === 'agents' ? idOf(folderOf(above)) : '';
  return { session: idOf(folder) || 'messages', ...(parent !== '' && { parent }) };
}

function idOf(folder: string): string {
  const name = baseName(folder);
  return NAMED.exec(name)?.[1] ?? name;
}

/** Reads the session's description, which is written after its messages; undefined if it cannot be read. */
export function descriptionOf(file: string, readSmall?: DecoderContext['readSmall']): JsonRecord | undefined {
  return baseName(file) === FILE ? parseRecord(readSmall?.(`${folderOf(file)}/meta.json`) ?? '') : undefined;
}

export function workplaceIn(meta: JsonRecord | undefined): string | undefined {
  return asText(at(meta, 'environment', 'working_directory'));
}
