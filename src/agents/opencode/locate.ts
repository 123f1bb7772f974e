import type { LocateEnvironment, Peek, TranscriptRoot } from '../transcripts';
import type { OpencodeProgram } from './program';
import { baseName, folderOf, isAbsolutePath, sessionOfFile } from '../shared/decode';

const MAGIC = 'SQLite format 3\u0000';

/** True for `opencode.db`; builds of other channels keep a file of their own, `opencode-dev.db`. */
function isDatabase({ program }: OpencodeProgram, name: string): boolean {
  const [, ofProgram, channel] = /^([a-z]+)(-[A-Za-z0-9._-]{1,80})?\.db$/.exec(name) ?? [];
  return ofProgram === program && (channel === undefined || channel.length > 1);
}

/** Returns where a program of the family keeps its sessions. */
export function databaseRoots(program: OpencodeProgram, { env, home }: LocateEnvironment): readonly TranscriptRoot[] {
  const named = env[program.database];
  const roots: TranscriptRoot[] = [
    {
      path: `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/${program.program}`,
      depth: 0,
      matches: (path) => isDatabase(program, path),
    },
  ];
  if (named !== undefined && isAbsolutePath(named))
    roots.unshift({ path: folderOf(named), depth: 0, matches: (path) => path === baseName(named) });
  return roots;
}

/** Recognises a database. The head of a new one has no tables yet, as they are still in the write-ahead log: then the name decides. */
export function recognisesDatabase(program: OpencodeProgram, head: string, file: string): 'yes' | 'maybe' | 'no' {
  const isNamed = isDatabase(program, baseName(file));
  if (!head.startsWith(MAGIC)) return head === '' && isNamed ? 'yes' : 'no';
  if (isNamed) return 'yes';
  const hasTables = /CREATE TABLE [`"]?part[`"]? \(/.test(head) && /CREATE TABLE [`"]?session[`"]? \(/.test(head);
  return hasTables ? 'maybe' : 'no';
}

const EXPORT = /^\s*\{\s*"info":\s*\{\s*"id":\s*"(ses_[A-Za-z0-9]{1,80})"/;
const STREAM =
  /^\s*\{"type":"(?:step_start|step_finish|text|tool_use|reasoning|error)","timestamp":\d{10,16},"sessionID":"(ses_[A-Za-z0-9]{1,80})"/;

/** Recognises the output of `opencode export`. A progress line may come before it. */
export function recognisesExport(head: string): 'yes' | 'maybe' | 'no' {
  return EXPORT.test(head) ? 'yes' : 'no';
}

export function peekExport(head: string, file: string): Peek {
  const session = EXPORT.exec(head)?.[1] ?? sessionOfFile(file);
  const start = head.slice(0, 8000);
  const cwd = /"directory":\s*"((?:[^"\\]|\\.){1,4000})"/.exec(start)?.[1];
  const parent = /"parentID":\s*"(ses_[A-Za-z0-9]{1,80})"/.exec(start)?.[1];
  return {
    session,
    ...(cwd !== undefined && { cwd: cwd.replace(/\\\\/g, '\\') }),
    ...(parent !== undefined && { parent }),
  };
}

/** Recognises the output of `opencode run --format json`. */
export function recognisesStream(head: string): 'yes' | 'maybe' | 'no' {
  return STREAM.test(head) ? 'yes' : 'no';
}

export function peekStream(head: string, file: string): Peek {
  return { session: STREAM.exec(head)?.[1] ?? sessionOfFile(file) };
}
