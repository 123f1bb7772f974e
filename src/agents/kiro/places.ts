import type { LocateEnvironment } from '../transcripts';
import type { DecoderContext } from '../decoder';
import { asText, folderOf, parseJson, parseRecord } from '../shared/decode';

export function sessionsFolder({ home }: LocateEnvironment): string {
  return `${home}/.kiro/sessions/cli`;
}

/** Reads the session's description next to a log; undefined if it cannot be read or has become too long. */
export function descriptionOf(file: string, readSmall?: DecoderContext['readSmall']) {
  const text = readSmall?.(file.replace(/\.jsonl$/, '.json'));
  return text === undefined || !file.endsWith('.jsonl') ? undefined : parseRecord(text);
}

/** Returns the folder of the first command that names one, else of the first file. */
export function workplaceIn(head: string): string | undefined {
  const folder = valueOf(/"working_dir":("(?:[^"\\\n]|\\[^\n]){1,2000}")/.exec(head)?.[1]);
  if (folder !== undefined) return folder;
  const file = valueOf(/"path":("\/(?:[^"\\\n]|\\[^\n]){1,2000}")/.exec(head)?.[1]);
  return file === undefined ? undefined : folderOf(file) || undefined;
}

function valueOf(raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : asText(parseJson(raw));
}
