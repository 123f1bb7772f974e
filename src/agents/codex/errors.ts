import type { ErrorKind } from '../../core/model';
import { asRecord, requestErrorKind } from '../shared/decode';

/** Returns the kind of an error. `info`: the code that newer versions write next to the message. */
export function errorKind(info: unknown, message: string): ErrorKind {
  const code = typeof info === 'string' ? info : Object.keys(asRecord(info) ?? {}).join(' ');
  return requestErrorKind(`${code} ${message}`);
}

/** Returns the milliseconds after which Codex says it will try again. */
export function retryIn(message: string): number | undefined {
  const found = /retrying(?: \d+\/\d+)? in ([\d.]+)\s?(ms|s)\b/.exec(message);
  return found ? Math.round(Number(found[1]) * (found[2] === 's' ? 1000 : 1)) : undefined;
}
