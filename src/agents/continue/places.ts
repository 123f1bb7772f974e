/** Returns the folder in which a session works: the command line writes a path, the extensions a URI. */
export function workplaceOf(written: string | undefined): string | undefined {
  if (!written?.startsWith('file://')) return written || undefined;
  try {
    return decodeURIComponent(written.slice('file://'.length)).replace(/^\/(?=[A-Za-z]:)/, '') || undefined;
  } catch {
    return undefined;
  }
}
