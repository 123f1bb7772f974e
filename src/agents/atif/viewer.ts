import { asNumber, parseRecord } from '../shared/decode';

/** What came of a call, as a trajectory keeps it. */
export interface ViewedResult {
  readonly output: string;
  readonly isError: boolean;
  readonly durationMs?: number;
  readonly metadata?: unknown;
}

const FAILURE = /\n*\[error\] tool reported failure\s*$/;
const METADATA = /\n*\[metadata\] (\{[\s\S]*\})\s*$/;
const STDOUT = /^([\s\S]*?)\n*\[stdout\]\n([\s\S]*)$/;

/**
 * An observation in the form of the trajectory viewer, which adds to what the agent saw: a line for a failure, the metadata as
 * JSON, and standard output a second time. None of that is the agent's, and copies would make results look larger than they were.
 */
export function viewedResult(observation: string): ViewedResult {
  let output = observation;
  const isError = FAILURE.test(output);
  if (isError) output = output.replace(FAILURE, '');
  let durationMs: number | undefined;
  let metadata: unknown;
  const meta = METADATA.exec(output);
  if (meta) {
    const record = parseRecord(meta[1] ?? '');
    const seconds = asNumber(record?.['durationSeconds']);
    const ms = asNumber(record?.['durationMs']) ?? (seconds === undefined ? undefined : seconds * 1000);
    if (ms !== undefined && ms >= 0) durationMs = Math.round(ms);
    metadata = record;
    output = output.slice(0, meta.index);
  }
  const twice = STDOUT.exec(output);
  const [, first = '', second = ''] = twice ?? [];
  const same = (one: string, other: string): boolean => one.trim().startsWith(other.trim().slice(0, 200));
  if (twice && (first.trim() === '' || same(second, first) || same(first, second))) {
    output = first.trim() === '' ? second : first;
  }
  return {
    output,
    isError,
    ...(durationMs !== undefined && { durationMs }),
    ...(metadata !== undefined && { metadata }),
  };
}
