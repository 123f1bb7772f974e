import type { Log } from '../../../src/base/util/log';

/** A log whose lines a test reads. */
export function recordingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const add = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  return { lines, debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') };
}
