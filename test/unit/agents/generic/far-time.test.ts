import { createDecoder } from '../../../../src/agents/decoders';
import { expect, it } from 'vitest';
import { generic } from '../../../../src/agents/generic/adapter';
import type { AgentEvent, Problem } from '../../../../src/core/model';

it.each(['1e308', '8.64e15', '"+275760-09-13T00:00:00Z"', '-1'])(
  'an invalid time (%s) is a problem of its line, and the last valid one remains',
  (t) => {
    const decoder = createDecoder(generic, { file: '/work/a.agent.jsonl', readSmall: () => undefined });
    if (decoder.unit !== 'line') throw new Error('lines');
    const events: AgentEvent[] = [];
    const problems: Problem[] = [];
    const sink = {
      event: (event: AgentEvent) => void events.push(event),
      problem: (one: Problem) => void problems.push(one),
    };
    const line = (text: string, number: number) => decoder.decode({ text, line: number, offset: 0 }, sink);
    line('{"v":1,"t":1753000000000,"type":"user","text":"go"}', 1);
    line(`{"v":1,"t":${t},"type":"user","text":"on"}`, 2);
    expect(problems).toEqual([{ line: 2, offset: 0, why: '"t" is not a time' }]);
    expect(new Set(events.map(({ at }) => at))).toEqual(new Set([1753000000000]));
    expect(events.filter(({ type }) => type === 'user')).toHaveLength(2);
  },
);
