import type { LocateEnvironment, Peek, TranscriptRoot } from '../transcripts';
import { baseName, folderOf, isAbsolutePath, sessionOfFile } from '../shared/decode';

/** `opencode.db`; builds of other channels keep a file of their own, `opencode-dev.db`. */
const DATABASE = /^opencode(?:-[A-Za-z0-9._-]{1,80})?\.db$/;
const MAGIC = 'SQLite format 3\u0000';

export function locate({ env, home }: LocateEnvironment): readonly TranscriptRoot[] {
  const named = env['OPENCODE_DB'];
  const roots: TranscriptRoot[] = [
    {
      path: `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/opencode`,
      depth: 0,
      matches: (path) => DATABASE.test(path),
    },
  ];
  if (named !== undefined && isAbsolutePath(named))
    roots.unshift({ path: folderOf(named), depth: 0, matches: (path) => path === baseName(named) });
  return roots;
}

/** The head of a new database has no tables yet: they are still in the write-ahead log. Then the name decides. */
export function recognisesDatabase(head: string, file: string): 'yes' | 'maybe' | 'no' {
  if (!head.startsWith(MAGIC)) return head === '' && DATABASE.test(baseName(file)) ? 'yes' : 'no';
  if (DATABASE.test(baseName(file))) return 'yes';
  return /CREATE TABLE [`"]?part[`"]? \(/.test(head) && /CREATE TABLE [`"]?session[`"]? \(/.test(head) ? 'yes' : 'no';
}

const EXPORT = /^\s*\{\s*"info":\s*\{\s*"id":\s*"(ses_[A-Za-z0-9]{1,80})"/;
const STREAM =
  /^\s*\{"type":"(?:step_start|step_finish|text|tool_use|reasoning|error)","timestamp":\d{10,16},"sessionID":"(ses_[A-Za-z0-9]{1,80})"/;

/** Recognises the output of `opencode export`. A line of progress may stand before it. */
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
