import type { ErrorKind } from '../../../core/model';
import { headOf } from './copy';

/** Number of characters of a message that are searched: services speak of themselves at its beginning. */
const READ = 2000;
const RATE_LIMIT =
  /rate.?limit|usage.?limit|\bhit your (?:[\w-]{1,20} )?limit\b|\b(?:hour|session|daily|weekly|monthly) limit reached\b|quota|too.?many.?requests|overloaded|resource.?exhausted|\b(?:429|529)\b/i;
const TIMEOUT = /timed?.?out|deadline.?exceeded/i;

/**
 * Returns the kind of a request to the model's service that failed.
 *
 * @param text its message, with the code of the error where the agent writes one
 * @param status its HTTP status
 */
export function requestErrorKind(text: string, status?: number): ErrorKind {
  const head = headOf(text, READ);
  if (status === 429 || status === 529 || RATE_LIMIT.test(head)) return 'rate_limit';
  return TIMEOUT.test(head) ? 'timeout' : 'api';
}
