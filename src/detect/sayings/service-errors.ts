import type { ErrorEvent, ErrorKind } from '../../core/model';

/** Number of characters of a message in which its kind is searched for. */
const LOOKED_AT = 400;
const OUTAGES: ReadonlySet<ErrorKind> = new Set(['api', 'timeout']);
/** Errors of the service that are caused by the request: they repeat until it is changed. */
const OWN_FAULT =
  /\b(?:40[0-4]|413|422)\b|invalid[ _-]|api key|too (?:long|large)|credit|billing|permission|unauthori[sz]ed|not found|context (?:window|length)/i;

/** Returns whether this error is the service's fault rather than the request's. */
export function isOutage({ kind, message }: ErrorEvent): boolean {
  if (kind === 'rate_limit') return true;
  return OUTAGES.has(kind) && !OWN_FAULT.test(message.slice(0, LOOKED_AT));
}
