import type { ErrorKind } from '../../core/model';
import { asNumber, asText, at, type JsonRecord } from '../shared/decode';

/** The error of an answer, or of an attempt that is retried: `{name, data: {message, statusCode, …}}`. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
  /** A person ended the turn, or it was ended on their behalf. */
  readonly aborted: boolean;
}

export function failureIn(error: JsonRecord): Failure {
  const name = asText(error['name']) ?? 'error';
  const aborted = name === 'MessageAbortedError' || name === 'AbortedError';
  const message = asText(at(error, 'data', 'message')) ?? asText(error['message']) ?? name;
  return { kind: kindOf(name, message, asNumber(at(error, 'data', 'statusCode'))), message, aborted };
}

function kindOf(name: string, message: string, status: number | undefined): ErrorKind {
  const text = message.slice(0, 2000);
  if (status === 429 || /rate.?limit|too many requests|quota|overloaded|\b429\b/i.test(text)) return 'rate_limit';
  if (/timed? ?out|ETIMEDOUT/i.test(text)) return 'timeout';
  if (name === 'MessageOutputLengthError' || name === 'StructuredOutputError') return 'validation';
  if (name === 'APIError' || name === 'ProviderAuthError' || name === 'ContextOverflowError' || status !== undefined)
    return 'api';
  return 'other';
}
