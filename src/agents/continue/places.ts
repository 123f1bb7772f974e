/** Returns the folder in which a session works: its command line writes a path, its extensions an address. */
export function workplaceOf(written: string | undefined): string | undefined {
  if (!written?.startsWith('file://')) return written || undefined;
  try {
    return decodeURIComponent(written.slice('file://'.length)).replace(/^\/(?=[A-Za-z]:)/, '') || undefined;
  } catch {
    return undefined;
  }
}
