import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/model';
import { shared } from '../support/shared';
import { genericEvents } from './support/generic-events';
import { type ReportedIncident, runFamily } from './support/run';

interface Label {
  readonly id: string;
  readonly file: string;
  readonly stuck: 'yes' | 'no' | 'ambiguous';
  readonly line: number | null;
  readonly kind: string | null;
}

function toldOf(file: string): ReportedIncident[] {
  const bySession = new Map<string, AgentEvent[]>();
  for (const event of genericEvents(readFileSync(file, 'utf8'))) {
    const events = bySession.get(event.session) ?? [];
    events.push(event);
    bySession.set(event.session, events);
  }
  return [...bySession.values()].flatMap((events) => runFamily(events).incidents);
}

const labelFile = shared('eval', 'dev-labels.jsonl');

describe.skipIf(labelFile === undefined)('hand-labelled real transcripts', () => {
  const labels =
    labelFile === undefined
      ? []
      : readFileSync(labelFile, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Label);
  const tolds = new Map(labels.map((label) => [label.id, toldOf(shared(label.file) ?? '')]));
  const of = (stuck: Label['stuck']): Label[] => labels.filter((label) => label.stuck === stuck);

  test('finds every stuck agent whose loop is one of actions', () => {
    const missed = of('yes').filter(({ id }) => !tolds.get(id)?.some(({ stuckLine }) => stuckLine !== null));
    // these two have no repeated calls: they talk, or answer in a form that cannot be read
    expect(new Set(missed.map(({ kind }) => kind))).toEqual(new Set(['monologue', 'validation_failure']));
  });

  test('reports none of the healthy ones as stuck, and marks hardly any', () => {
    const stuck = of('no').filter(({ id }) => tolds.get(id)?.some(({ stuckLine }) => stuckLine !== null));
    const marked = of('no').filter(({ id }) => (tolds.get(id) ?? []).length > 0);
    expect(stuck).toEqual([]);
    expect(marked.length).toBeLessThanOrEqual(1);
  });

  test('the median warning comes no later than a careful reader would give it', () => {
    const late = of('yes')
      .map(({ id, line }) => {
        const at = tolds.get(id)?.find(({ cleared }) => cleared === null || (cleared.source?.line ?? 0) >= (line ?? 0));
        return at === undefined || line === null ? null : at.warnLine - line;
      })
      .filter((lines) => lines !== null)
      .sort((a, b) => a - b);
    expect(late[late.length >> 1]).toBeLessThanOrEqual(0);
  });
});
