import { asNumber, parseRecord, withoutEnd } from '../shared/decode';

/** Result of a call in a trajectory. */
export interface ViewedResult {
  readonly output: string;
  readonly isError: boolean;
  readonly durationMs?: number;
  readonly metadata?: unknown;
}

const FAILURE = '[error] tool reported failure';
const METADATA = '[metadata] {';
const STDOUT = '[stdout]\n';

/**
 * Reads an observation in the form of the trajectory viewer, which adds to what the agent saw: a line for a failure, the metadata as JSON, and a
 * second copy of standard output. The agent saw none of these, and the copies would make results look larger than they were.
 */
export function viewedResult(observation: string): ViewedResult {
  let output = observation;
  let end = output.trimEnd();
  const isError = end.endsWith(FAILURE);
  if (isError) {
    output = withoutEnd(end.slice(0, -FAILURE.length), '\n');
    end = output.trimEnd();
  }
  let durationMs: number | undefined;
  let metadata: unknown;
  const meta = end.endsWith('}') ? output.indexOf(METADATA) : -1;
  if (meta >= 0) {
    const record = parseRecord(end.slice(meta + METADATA.length - 1));
    const seconds = asNumber(record?.['durationSeconds']);
    const ms = asNumber(record?.['durationMs']) ?? (seconds === undefined ? undefined : seconds * 1000);
    if (ms !== undefined && ms >= 0) durationMs = Math.round(ms);
    metadata = record;
    output = withoutEnd(output.slice(0, meta), '\n');
  }
  const twice = output.indexOf(STDOUT);
  const first = withoutEnd(output.slice(0, Math.max(0, twice)), '\n');
  const second = output.slice(twice + STDOUT.length);
  const same = (one: string, other: string): boolean => one.trim().startsWith(other.trim().slice(0, 200));
  if (twice >= 0 && (first.trim() === '' || same(second, first) || same(first, second))) {
    output = first.trim() === '' ? second : first;
  }
  return {
    output,
    isError,
    ...(durationMs !== undefined && { durationMs }),
    ...(metadata !== undefined && { metadata }),
  };
}
