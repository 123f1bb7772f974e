import { baseName, folderOf, sessionOfFile } from '../shared/decode';

/** Returns the session and the working directory. Folders name both: the session's folder, and above it the working directory, percent-encoded. */
export function grokPlace(file: string): { readonly session: string; readonly cwd?: string } {
  if (baseName(file) !== 'updates.jsonl') return { session: sessionOfFile(file) };
  const folder = folderOf(file);
  const cwd = decoded(baseName(folderOf(folder)));
  return { session: baseName(folder) || 'updates', ...(cwd !== undefined && { cwd }) };
}

function decoded(name: string): string | undefined {
  try {
    const path = decodeURIComponent(name);
    return /^(?:\/|[A-Za-z]:)/.test(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
