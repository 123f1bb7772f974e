import { createDecoder } from '../../../../src/agents/decoders';
import { generic } from '../../../../src/agents/generic/adapter';
import type { AgentEvent, Problem } from '../../../../src/core/model';

export interface Decoded {
  readonly events: readonly AgentEvent[];
  readonly problems: readonly Problem[];
  of<T extends AgentEvent['type']>(type: T): readonly Extract<AgentEvent, { type: T }>[];
}

/** Decodes rows (given `v` and a time of one second per line) or raw lines. */
export function decode(rows: readonly (object | string)[], file = '/work/runs/run.agent.jsonl'): Decoded {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const decoder = createDecoder(generic, { file, readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('a line decoder is expected');
  for (const [index, row] of rows.entries()) {
    const text = typeof row === 'string' ? row : JSON.stringify({ v: 1, t: (index + 1) * 1000 + 1.7e12, ...row });
    decoder.decode(
      { text, line: index + 1, offset: index * 100 },
      { event: (event) => void events.push(event), problem: (problem) => void problems.push(problem) },
    );
  }
  return {
    events,
    problems,
    of: (type) => events.filter((event): event is Extract<AgentEvent, { type: typeof type }> => event.type === type),
  };
}
