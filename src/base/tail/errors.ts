import { errorCode } from '../util/error-code';

/**
 * Reason why a file could not be read: the system's code (`ENOENT`, `EACCES`, …), `NOTFILE` for a file that is not regular, `TOOLARGE` over the
 * limit.
 */
export class TailError extends Error {
  constructor(
    readonly code: string,
    readonly path: string,
  ) {
    super(`${path}: ${code}`);
    this.name = 'TailError';
  }
}

/** Returns the system's code of an error; `UNKNOWN` where it has none. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? 'UNKNOWN';
}

/** Returns whether the system had no descriptor left: what failed may succeed a moment later. */
export function isOutOfDescriptors(code: string): boolean {
  return code === 'EMFILE' || code === 'ENFILE';
}

/** Descriptions of problems with a line, by code. */
export const LINE_PROBLEMS: Readonly<Record<string, string>> = {
  'line-too-large': 'so large that parts of it were left out',
  'nul-bytes': 'NUL bytes before the line were left out',
  consumer: 'could not be processed',
};
