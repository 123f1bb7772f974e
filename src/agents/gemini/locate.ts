import type { LocateEnvironment, Peek, TranscriptRoot } from '../transcripts';
import { asArray, asText, type JsonRecord, parseJson, parseRecord, sessionOfFile, withoutEnd } from '../shared/decode';
import { firstLine } from '../../base/util/text';

/** Returns where chats are: `tmp/<project>/chats/session-<time>-<id>.jsonl`; chats of sub-agents are one folder deeper. */
export function chatRoot(environment: LocateEnvironment, ending: '.jsonl' | '.json'): TranscriptRoot {
  const home = environment.env['GEMINI_CLI_HOME'] || environment.home;
  const name =
    ending === '.json' ? /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.json$/ : /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.jsonl$/;
  return { path: `${home}/.gemini/tmp`, depth: 3, matches: (path) => name.test(path) };
}

const CHAT_HEADER = /^\s*\{"sessionId":\s?"[^"]{1,200}",\s?"projectHash":/;
const CHAT_LINE = /^\{"(?:id":"[^"]{1,80}","timestamp":"[^"]{10,40}","type":"(?:user|gemini|info|error)"|\$set":\{)/m;
/** With the flag `m`, `\s*` after `^` would run across line ends: quadratic in a file of blank lines. */
const STREAM_INIT = /^[ \t]*\{[^{}\n]{0,400}"type":\s?"init"[^{}\n]{0,400}"session_id"/m;
const STREAM_TOOL = /^[ \t]*\{[^{}\n]{0,300}"type":\s?"tool_use"[^{}\n]{0,300}"tool_name"/m;

export function recognisesLines(head: string): 'yes' | 'maybe' | 'no' {
  if (CHAT_HEADER.test(head) || STREAM_INIT.test(head) || STREAM_TOOL.test(head)) return 'yes';
  return CHAT_LINE.test(head) && head.includes('"type":"gemini"') ? 'yes' : 'no';
}

export function recognisesDocument(head: string): 'yes' | 'maybe' | 'no' {
  const start = head.slice(0, 4000);
  if (!/^\s*\{\s*"/.test(start) || CHAT_HEADER.test(firstLine(start))) return 'no';
  if (!/"(?:messages|history)":\s*\[/.test(head)) return 'no';
  if (/"projectHash":\s?"/.test(start)) return 'yes';
  return /"role":\s?"gemini"|"type":\s?"gemini"/.test(head) ? 'maybe' : 'no';
}

export function peekLines(head: string, file: string): Peek {
  const first = parseRecord(firstLine(head));
  const init = STREAM_INIT.exec(head)?.[0];
  const session =
    asText(first?.['sessionId']) ??
    (init && /"session_id":\s?"([^"]{1,200})"/.exec(head.slice(head.indexOf(init)))?.[1]);
  const cwd = directoryOf(first);
  return {
    session: session || sessionOfFile(file),
    ...(cwd !== undefined && { cwd }),
    ...cwdIn(head),
    ...parentOfFile(file, first?.['kind']),
  };
}

export function peekDocument(head: string, file: string): Peek {
  const session = /"sessionId":\s?"([^"]{1,200})"/.exec(head)?.[1];
  return { session: session ?? sessionOfFile(file), ...cwdIn(head) };
}

/** Returns the folder named in a chat's header: for a sub-agent, nothing else names it. */
export function directoryOf(header: JsonRecord | null | undefined): string | undefined {
  return asText(asArray(header?.['directories'])?.[0]);
}

/** Returns the parent of a sub-agent's chat, which is in a folder named after the session that started it. */
export function parentOfFile(file: string, kind: unknown): { parent?: string } {
  if (kind !== 'subagent') return {};
  const folder = /[\\/]chats[\\/]([^\\/]{1,200})[\\/][^\\/]+$/.exec(file)?.[1];
  return folder === undefined ? {} : { parent: folder };
}

function cwdIn(head: string): { cwd?: string } {
  const at = head.indexOf('**Workspace Director');
  if (at < 0) return {};
  // The text is inside a JSON string: its line breaks are escaped.
  const raw = /^[^"]*/.exec(head.slice(at, at + 5000))?.[0] ?? '';
  const text = parseJson(`"${withoutEnd(raw, '\\')}"`);
  const cwd = typeof text === 'string' ? workspaceIn(text) : undefined;
  return cwd === undefined ? {} : { cwd };
}

/** Returns the first workspace folder from the context that opens a chat. */
export function workspaceIn(context: string): string | undefined {
  const found = /\*\*Workspace Director(?:ies|y):\*\*\s*(?:- )?([^\n]{1,4000})/.exec(context)?.[1];
  return found?.trim() || undefined;
}
