import { asText, baseName, normalisePath, parseJson, parseRecord, sessionOfFile, withoutEnd } from '../shared/decode';
import type { LocateEnvironment, Peek, TranscriptRoot } from '../transcripts';
import { firstLines } from '../../base/util/text';

/** Longest folder name; longer ones are cut there and get a hash. */
const NAME_LIMIT = 200;

/** Returns the folder of the CLI's own files: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function configFolder({ home, env }: Pick<LocateEnvironment, 'home' | 'env'>): string {
  const set = env['CLAUDE_CONFIG_DIR'];
  return normalisePath(set !== undefined && set.trim() !== '' ? set.trim() : `${home}/.claude`);
}

/**
 * Returns where transcripts are: `projects/<folder>/<session>.jsonl`, with each sub-agent's file below its session's folder (2.0 had them next to the
 * session).
 */
export function locate(environment: LocateEnvironment): readonly TranscriptRoot[] {
  return [
    {
      path: `${configFolder(environment)}/projects`,
      depth: 5,
      matches: (path) =>
        /^[^/]+\/[^/]+\.jsonl$/.test(path) ||
        /^[^/]+\/[^/]+\/subagents\/(?:[^/]+\/){0,2}agent-[^/]+\.jsonl$/.test(path),
      mayBelong,
      holdsOthers: (folder) => !folder.includes('/'),
    },
  ];
}

/**
 * Returns the folder name of a working directory. Lossy: every character that is not an ASCII letter or digit becomes `-`, so the name shows only
 * that a session may belong.
 */
export function encodeFolder(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

/**
 * Returns whether a session's folder may belong to a workspace folder or to a folder in it: its name then begins with the encoded name. Letter case
 * is ignored (Windows drives).
 */
export function mayBelong(relativeFolder: string, workspaceFolders: readonly string[]): boolean {
  const parts = relativeFolder.split('/');
  const name = (parts[0] ?? '').toLowerCase();
  if (name === '') return true;
  // Below a session's folder only the sub-agents' transcripts matter.
  if (parts.length >= 3 && parts[2] !== 'subagents') return false;
  return workspaceFolders.some((folder) => {
    const whole = encodeFolder(folder.length > 1 ? withoutEnd(folder, '/\\') : folder).toLowerCase();
    if (whole.length > NAME_LIMIT) return name.startsWith(whole.slice(0, NAME_LIMIT));
    return name === whole || name.startsWith(whole.endsWith('-') ? whole : `${whole}-`);
  });
}

/** Reads the session, working directory and parent from the first lines. */
export function peek(head: string, file: string): Peek {
  const cwd = field(head, 'cwd');
  const session = field(head, 'sessionId');
  if (isSubAgentFile(file)) {
    return {
      session: sessionOfFile(file),
      ...(cwd !== undefined && { cwd }),
      ...(session !== undefined && { parent: session }),
    };
  }
  const name = sessionOfFile(file);
  const own = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(name) ? name : (session ?? name);
  return { session: own, ...(cwd !== undefined && { cwd, ...moved(cwd, file) }) };
}

/** Returns a check for a moved transcript: a session that enters a worktree midway takes its file along (measured with 2.1.329). */
function moved(cwd: string, file: string): Pick<Peek, 'movedTo'> {
  const name = baseName(file.slice(0, -baseName(file).length - 1));
  const isHere = (folder: string) => name === encodeFolder(folder);
  return name === '' || name.length > NAME_LIMIT || isHere(cwd) ? {} : { movedTo: (folders) => folders.some(isHere) };
}

/** Returns the first value of a string field at the level of a line's envelope (or deeper, if the envelope has none). */
function field(head: string, name: string): string | undefined {
  const match = new RegExp(`"${name}": ?("(?:[^"\\\\]|\\\\.){1,4096}")`).exec(head)?.[1];
  return match === undefined ? undefined : asText(parseJson(match));
}

const LINES = 20;

/** Recognises Claude Code's envelope: `sessionId` and, on lines of the conversation, `isSidechain` or `userType`. */
export function recognises(head: string, file: string): 'yes' | 'maybe' | 'no' {
  let maybe = false;
  for (const line of firstLines(head, LINES)) {
    const row = parseRecord(line);
    if (!row) {
      // The head may end in the middle of a line; the beginning of a line is enough.
      if (/^\{"parentUuid":(?:null|"[0-9a-f-]{36}"),(?:"logicalParentUuid":[^,]{1,60},)?"isSidechain":/.test(line))
        return 'yes';
      continue;
    }
    const type = asText(row['type']);
    const isEnvelope = typeof row['isSidechain'] === 'boolean' || row['userType'] === 'external';
    if (asText(row['sessionId']) !== undefined && isEnvelope && !hasParts(row['message'])) return 'yes';
    if (
      asText(row['sessionId']) !== undefined &&
      (type === 'queue-operation' || type === 'api-request' || type === 'permission-mode')
    ) {
      return 'yes';
    }
    if (type === 'summary' && asText(row['leafUuid']) !== undefined) return 'yes';
    if (type === 'file-history-snapshot') return 'yes';
    maybe ||=
      (type === 'user' || type === 'assistant') && typeof row['message'] === 'object' && !hasParts(row['message']);
  }
  return maybe && baseName(file).endsWith('.jsonl') ? 'maybe' : 'no';
}

/** True for messages of Qwen Code, which writes the same envelope around messages of another form. */
function hasParts(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'parts' in message;
}

/** Returns whether the file holds one sub-agent (`agent-<id>.jsonl`). Its session is then `agent-<id>`, and its parent the session in its lines. */
export function isSubAgentFile(file: string): boolean {
  return baseName(file).startsWith('agent-');
}
