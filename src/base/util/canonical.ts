import { plainCommand } from '../checks/shell/plain-command';
import { Hash } from './hash';

/** Arguments that describe a call for its reader or its harness and have no effect on what it does. Top level only. */
const METADATA = new Set([
  'description',
  'justification',
  'explanation',
  'rationale',
  'reasoning',
  'thought',
  'thoughts',
  'task_progress',
  'yield_time_ms',
  'yieldTimeMs',
  'max_output_tokens',
  'toolCallId',
  'tool_call_id',
  'callId',
  'call_id',
  'requestId',
  'request_id',
  'timestamp',
  'security_risk',
  'requires_approval',
  'SafeToAutoRun',
  'waitForPreviousTools',
]);

/** An `id` of this form names the call, not a thing. */
const CALL_ID = /^(?:call|toolu|tool|fc|chatcmpl|msg|req)[_-]/;

const PATHS = new Set([
  'path',
  'file_path',
  'filePath',
  'filepath',
  'file',
  'filename',
  'file_name',
  'notebook_path',
  'absolute_path',
  'relative_path',
  'target_file',
  'targetFile',
  'TargetFile',
  'AbsolutePath',
  'dir_path',
  'directory',
  'dir',
  'cwd',
  'workdir',
  'folder',
]);

const COMMANDS = new Set(['command', 'cmd', 'script', 'commandLine', 'CommandLine', 'command_line']);

/** Deeper arguments count only by their shape; no real call nests that deep. */
const DEPTH = 24;

/** Receiver of the canonical form: a hash or a text. */
interface Pieces {
  text(piece: string): unknown;
}

/**
 * Returns a number that is equal for equal calls, from the tool's name and its canonical arguments.
 *
 * Canonical means: keys sorted, metadata keys and defaults (null, false) left out, paths written in one way, commands trimmed. So key order, a
 * reworded description or `./a.py` for `a.py` do not make a repeat look new.
 */
export function callSignature(name: string, args: unknown, cwd: string | null): number {
  const hash = new Hash().text(name).number(0x1f);
  write(args, hash, cwd, '', 0);
  return hash.value();
}

/** Returns the canonical arguments as text, for callers that compare or show them. Strings are not escaped, so it cannot be parsed as JSON. */
export function canonicalText(args: unknown): string {
  const pieces: string[] = [];
  write(args, { text: (piece) => pieces.push(piece) }, null, '', 0);
  return pieces.join('');
}

function write(value: unknown, out: Pieces, cwd: string | null, key: string, depth: number): void {
  if (typeof value === 'string') {
    out.text('"');
    out.text(PATHS.has(key) ? normalisedPath(value, cwd) : COMMANDS.has(key) ? normalisedCommand(value, cwd) : value);
    out.text('"');
  } else if (typeof value !== 'object' || value === null) {
    out.text(String(value));
  } else if (depth >= DEPTH) {
    out.text(Array.isArray(value) ? '[…]' : '{…}');
  } else if (Array.isArray(value)) {
    out.text('[');
    for (const item of value as unknown[]) {
      write(item, out, cwd, key, depth + 1);
      out.text(',');
    }
    out.text(']');
  } else {
    writeRecord(value as Record<string, unknown>, out, cwd, depth);
  }
}

function writeRecord(record: Record<string, unknown>, out: Pieces, cwd: string | null, depth: number): void {
  let keys = Object.keys(record);
  if (depth === 0) {
    const telling = keys.filter((key) => isMeaningful(key, record[key]));
    // the descriptions are the only arguments, so they count
    if (telling.length > 0) keys = telling;
  }
  if (keys.length > 1) keys.sort();
  out.text('{');
  for (const key of keys) {
    if (record[key] === undefined) continue;
    out.text(key);
    out.text(':');
    write(record[key], out, cwd, key, depth + 1);
    out.text(',');
  }
  out.text('}');
}

function isMeaningful(key: string, value: unknown): boolean {
  if (value === null || value === undefined || value === false || METADATA.has(key)) return false;
  return !(key === 'id' && typeof value === 'string' && CALL_ID.test(value));
}

/**
 * Writes a path in one form: forward slashes, no `./` and `//`, no slash at the end, relative to the working directory if inside it. `cwd` must
 * already be in this form.
 */
export function normalisedPath(path: string, cwd: string | null): string {
  let normal = path;
  if (normal.includes('\\')) normal = normal.replaceAll('\\', '/');
  // The drive letter of a Windows path is not case-sensitive; editors write it in lower case, agents in upper case.
  if (normal[1] === ':') normal = normal.charAt(0).toUpperCase() + normal.slice(1);
  if (normal.includes('./') || normal.includes('//')) {
    normal = normal.replace(/\/{2,}/g, '/').replace(/(^|\/)(?:\.\/)+/g, '$1');
  }
  if (normal.length > 1 && normal.endsWith('/')) normal = normal.slice(0, -1);
  if (cwd && normal.startsWith(cwd)) {
    if (normal.length === cwd.length) return '.';
    if (normal[cwd.length] === '/') return normal.slice(cwd.length + 1);
  }
  return normal;
}

/** Writes a command in one form, regardless of how it is typed (`plainCommand`). */
function normalisedCommand(command: string, cwd: string | null): string {
  const trimmed = command.trim();
  // An empty command is a wait, and so is a single line break.
  if (trimmed === '') return command.replace(/[\r\n]+/g, '\n');
  return plainCommand(trimmed, (folder) => normalisedPath(folder, cwd) === '.');
}
