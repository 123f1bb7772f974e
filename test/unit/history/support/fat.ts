import type { Incident } from '../../../../src/core/model';
import { recovered } from './incidents';

const source = { file: '/x', line: 1, offset: 0 };

/** An incident with the maximum of evidence and samples. */
export function fat(at: number, text = 'w'.repeat(8_000)): Incident {
  return recovered({
    openedAt: at,
    updatedAt: at,
    resolvedAt: at,
    evidence: Array.from({ length: 11 }, (_, step) => ({
      source,
      at,
      step,
      role: 'repeat' as const,
      subject: 'pytest -q',
      text: 'x'.repeat(200),
    })),
    firstSample: { source, at, text, ignored: [] },
    lastSample: { source, at, text, ignored: [] },
  });
}
