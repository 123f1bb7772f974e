import type { ErrorKind } from '../../core/model';
import { asNumber, asText, at, type JsonRecord, requestErrorKind } from '../shared/decode';

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
  const kind = requestErrorKind(message, status);
  if (kind !== 'api') return kind;
  if (name === 'MessageOutputLengthError' || name === 'StructuredOutputError') return 'validation';
  if (name === 'APIError' || name === 'ProviderAuthError' || name === 'ContextOverflowError' || status !== undefined)
    return 'api';
  return 'other';
}
