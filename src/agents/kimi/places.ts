import { createHash } from 'node:crypto';
import type { DecoderContext } from '../decoder';
import { asArray, asText, at, baseName, folderOf, parseJson, sessionOfFile } from '../shared/decode';

export const CODE_FILE = /^[^/]+\/[^/]+\/agents\/[^/]+\/wire\.jsonl$/;

/** Returns the session, which is named after its folder; a copy elsewhere is named after itself. */
export function sessionOfWire(file: string): string {
  return baseName(file) === 'wire.jsonl' ? baseName(folderOf(file)) || 'wire' : sessionOfFile(file);
}

/** Returns the session and parent of `<session>/agents/<agent>/wire.jsonl`: the first agent is named `main`, the others are its sub-agents. */
export function codePlace(file: string): { readonly session: string; readonly parent?: string } {
  const [session = '', folder, agent = ''] = file.split(/[\\/]/).slice(-4);
  if (folder !== 'agents' || session === '' || agent === '') return { session: sessionOfFile(file) };
  return agent === 'main' ? { session } : { session: `${session}_${agent}`, parent: session };
}

/** Returns the folder in which the agent works, from the first records or the first command. */
export function codeWorkplace(head: string): string | undefined {
  const raw = /"cwd":("(?:[^"\\\n]|\\[^\n]){1,2000}")/.exec(head)?.[1];
  if (raw !== undefined) return asText(parseJson(raw));
  const words = /Working directory: ([^"\n\\]{1,2000})/.exec(head)?.[1];
  return words?.trim() || undefined;
}

/**
 * Returns the folder in which a session of Kimi CLI works. The session's own folder is named with the MD5 of that path, and `kimi.json` lists all
 * paths; undefined if it does not list this one, or is too long.
 */
export function wireWorkplace(file: string, readSmall: DecoderContext['readSmall'] | undefined): string | undefined {
  const named = folderOf(folderOf(file));
  const list = readSmall?.(`${folderOf(folderOf(named))}/kimi.json`);
  const wanted = baseName(named);
  if (list === undefined || !/^[0-9a-f]{32}$/.test(wanted)) return undefined;
  for (const one of asArray(at(parseJson(list), 'work_dirs')) ?? []) {
    const path = asText(at(one, 'path'));
    if (path !== undefined && createHash('md5').update(path).digest('hex') === wanted) return path;
  }
  return undefined;
}
