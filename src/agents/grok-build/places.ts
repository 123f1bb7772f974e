import { baseName, folderOf, sessionOfFile } from '../shared/decode';

/** Both are named by folders: the session, and above it where the agent works, percent-encoded. */
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
