import type { Clearing, Finding, ProgressMarker, Source } from '../../../src/core/model';

export function source(line: number): Source {
  return { file: '/t.jsonl', line, offset: line * 100 };
}

/** A finding of the interleaved test run at a line, one second per line. */
export function finding(line: number, fields: Partial<Finding> = {}): Finding {
  return {
    detector: 'repeating_outcome',
    rule: null,
    reason: 'repetition_loop',
    exhaustion: null,
    key: 'outcome:7',
    level: 'warn',
    certainty: 'counted',
    confidence: 0.9,
    count: 3,
    limit: 4,
    at: line * 1000,
    source: source(line),
    firstAt: 2000,
    first: source(2),
    evidence: [{ source: source(2), at: 2000, role: 'first', subject: 'pytest -q', text: '1 failed' }],
    subject: 'pytest -q',
    why: '`pytest -q` gave the same result 3 times in the last 6 steps.',
    suggestion: 'Look at the failing place.',
    clears: ['`pytest -q` gets a different result'],
    ...fields,
  };
}

export function clearing(line: number, fields: Partial<Clearing> = {}): Clearing {
  return {
    detector: 'repeating_outcome',
    key: 'outcome:7',
    reason: 'different_result',
    at: line * 1000,
    source: source(line),
    ...fields,
  };
}

export function progress(line: number): ProgressMarker {
  return { kind: 'check_passed', at: line * 1000, source: source(line), text: 'pytest -q passed' };
}
