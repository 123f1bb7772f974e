import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AgentAdapter } from '../agents/adapter';
import { filesOfSession } from '../engine/follow/session-files';
import { recognise } from '../engine/follow/recognise';
import { type FileProblem, readPartNow } from '../base/files';
import { HEAD_BYTES } from '../base/tail';
import { UsageError } from './output';

export interface FoundTranscript {
  readonly file: string;
  readonly size: number;
  readonly adapter: AgentAdapter;
}

export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);
const TRANSCRIPT_NAMES = /\.(jsonl|json|traj|md|db|txt|log)$/i;

/**
 * Finds the transcripts in the given files and folders, in the order of their paths. A file that is named directly must be a transcript: it is an
 * error if no adapter recognises it. Other files in folders are skipped.
 */
export function findTranscripts(
  command: string,
  paths: readonly string[],
  adapters: readonly AgentAdapter[],
): { found: FoundTranscript[]; unread: UnreadFile[] } {
  const found: FoundTranscript[] = [];
  const unread: UnreadFile[] = [];
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) throw new UsageError('unreadable', `unstuck ${command}: ${path} does not exist.`);
    if (stat.isDirectory()) for (const file of walk(path, unread)) identify(file, adapters, found, unread, false);
    else if (stat.isFile()) identify(path, adapters, found, unread, true);
    else unread.push({ file: path, why: 'not a file or folder' });
  }
  return { found: oncePerSession(found), unread };
}

/** Keeps only the main file of each session if it was found or exists; otherwise keeps the files that were found. */
export function oncePerSession(found: readonly FoundTranscript[]): FoundTranscript[] {
  const chosen = new Map<string, FoundTranscript>();
  for (const one of found) {
    const { main } = filesOfSession(one.adapter, one.file);
    const isThere = main === one.file || statSync(main, { throwIfNoEntry: false })?.isFile();
    const file = isThere ? main : one.file;
    chosen.set(file, {
      ...(chosen.get(file) ?? one),
      file,
      size: statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    });
  }
  return [...chosen.values()];
}

function identify(
  file: string,
  adapters: readonly AgentAdapter[],
  found: FoundTranscript[],
  unread: UnreadFile[],
  isNamed: boolean,
): void {
  const read = readPartNow(file, { from: 0, length: HEAD_BYTES });
  if (!read.ok) {
    unread.push({ file, why: whyUnread(read.error) });
    return;
  }
  const { size, bytes } = read.value;
  const adapter = recognise(adapters, headOf(bytes), file);
  if (adapter) found.push({ file, size, adapter });
  else if (isNamed) unread.push({ file, why: size === 0 ? 'the file is empty' : 'not a transcript of a known agent' });
}

/** Decodes a head, cut at a line break if it has one. */
function headOf(bytes: Buffer): string {
  const end = bytes.length === HEAD_BYTES ? bytes.lastIndexOf(10) : bytes.length;
  return bytes.toString('utf8', 0, end > 0 ? end : bytes.length);
}

/** Returns why a file was not read and what helps, without naming the file. */
function whyUnread({ reason, code }: FileProblem): string {
  switch (reason) {
    case 'missing':
      return 'it is gone';
    case 'not_regular':
    case 'link':
      return 'not a file or folder';
    case 'no_permission':
      return 'permission was denied: run as its owner, or make it readable for this user';
    case 'too_many_open':
      return 'too many files are open: raise the limit with ulimit -n';
    case 'too_large':
    case 'other':
      return code;
  }
}

/** Yields the files whose names may be those of transcripts, in order. Never follows symbolic links. */
function* walk(folder: string, unread: UnreadFile[]): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    unread.push({ file: folder, why: error instanceof Error ? error.message : String(error) });
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* walk(path, unread);
    else if (entry.isFile() && TRANSCRIPT_NAMES.test(entry.name)) yield path;
  }
}

/** Returns the one line that says why a command had nothing to read. `shownAs` returns the name by which a person knows a path. */
export function nothingRead(
  command: string,
  unread: readonly UnreadFile[],
  shownAs: (file: string) => string,
  nothing: string,
): UsageError {
  const [first, ...others] = unread;
  if (!first) return new UsageError('unreadable', `unstuck ${command}: ${nothing}`);
  const many = others.length > 0 ? `none of ${unread.length} files could be read; ` : '';
  return new UsageError('unreadable', `unstuck ${command}: ${many}${shownAs(first.file)}: ${first.why}.`);
}

/** Returns a path as a person wants to read it: relative to the working folder if it is inside it. */
export function shown(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path !== '' && !path.startsWith('..') ? path : file;
}
