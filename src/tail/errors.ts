/** Why a file could not be read: the system's code (`ENOENT`, `EACCES`, …), or `NOTFILE` for what is no regular file. */
export class TailError extends Error {
  constructor(
    readonly code: string,
    readonly path: string,
  ) {
    super(`${path}: ${code}`);
    this.name = 'TailError';
  }
}

/** The system's code of an error, `UNKNOWN` where it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code ?? 'UNKNOWN';
}
