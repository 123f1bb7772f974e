import type { ToolCallEvent } from '../../core/model';
import { normalisedPath } from '../../base/util/canonical';
import { hashOf } from '../../base/util/hash';

/** Effect of an edit on a file, as far as its arguments show. Equal numbers mean equal texts. */
export interface EditPair {
  /** Absolute path if the working directory is known, otherwise as written in the call. */
  readonly path: string;
  /** The replaced text; 0 where the call writes the whole file and does not name it. */
  readonly before: number;
  readonly after: number;
}

/** Number of characters of a text that are compared. */
const COMPARED = 65_536;
const OLD = ['old_string', 'old_str', 'oldText', 'old_text', 'search'];
const NEW = ['new_string', 'new_str', 'newText', 'new_text', 'replace', 'replacement'];
const WHOLE = ['content', 'contents', 'file_text', 'text', 'new_content'];
const PATCH = ['input', 'patch', 'diff'];

/** A whole file written by a shell line: `cat > notes.md <<EOF`. */
const WRITES_FILE =
  /^\s*(?:cat|tee)\s{0,4}(?:>\s{0,4})?([^\s<>|&;]{1,300})\s{0,4}<<|^\s*cat\s{0,4}<<-?\s{0,4}\S{1,40}\s{0,4}>\s{0,4}([^\s<>|&;]{1,300})/;

/** Returns the file that a shell line writes as a whole, and its content as a number; null where the line does not begin with such a write. */
export function shellWrite(line: string, cwd: string | null): EditPair | null {
  const found = line.includes('<<') ? WRITES_FILE.exec(line) : null;
  const path = found?.[1] ?? found?.[2];
  return path === undefined ? null : { path: absolute(path, cwd), before: 0, after: numberOf(line) };
}

/** Returns the edit that a call makes; null where it makes none that can be compared. */
export function editPair(call: ToolCallEvent, cwd: string | null): EditPair | null {
  if (call.kind !== 'changed' || call.target === undefined || typeof call.args !== 'object' || call.args === null)
    return null;
  const args = call.args as Record<string, unknown>;
  const path = absolute(call.target, cwd);
  const text = (names: readonly string[]): string | null => {
    for (const name of names) if (typeof args[name] === 'string') return args[name];
    return null;
  };
  const before = text(OLD);
  const after = text(NEW);
  if (before !== null && after !== null) return { path, before: numberOf(before), after: numberOf(after) };
  const patch = text(PATCH);
  if (patch !== null) {
    const lines = patch.slice(0, COMPARED).split('\n');
    const side = (sign: string): string =>
      lines
        .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
        .map((line) => line.slice(1))
        .join('\n');
    return { path, before: numberOf(side('-')), after: numberOf(side('+')) };
  }
  const whole = text(WHOLE);
  return whole === null ? null : { path, before: 0, after: numberOf(whole) };
}

function numberOf(text: string): number {
  return hashOf(text.length > COMPARED ? text.slice(0, COMPARED) : text) || 1;
}

function absolute(path: string, cwd: string | null): string {
  const normal = normalisedPath(path, null);
  return normal.startsWith('/') || /^[A-Za-z]:\//.test(normal) || cwd === null ? normal : `${cwd}/${normal}`;
}
