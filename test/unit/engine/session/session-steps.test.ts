import { describe, expect, it } from 'vitest';
import { hasFailed } from '../../../../src/core/model';
import { SessionSteps } from '../../../../src/engine/session/session-steps';

const step = (subject: string) =>
  ({
    at: 0,
    kind: 'looked',
    failed: false,
    seen: false,
    outcome: 0,
    line: 0,
    offset: 0,
    tool: 'Read',
    subject,
  }) as const;

describe('the subjects of a timeline', () => {
  it('are those of the newest steps, however many different ones came before', () => {
    const timeline = new SessionSteps();
    timeline.push(step('npm test'));
    for (let part = 0; part < 45_000; part++) timeline.push(step(`part-${part}.ts`));
    timeline.push(step('npm test'));
    expect(timeline.subject(timeline.length - 1)).toBe('npm test');
    expect(timeline.subject(timeline.length - 2)).toBe('part-44999.ts');
    expect(timeline.subject(timeline.length - 19_999)).toBe('part-25002.ts');
  });

  it('are unknown, and never wrong, if too many came since', () => {
    const timeline = new SessionSteps();
    for (let part = 0; part < 20_001; part++) timeline.push(step(`part-${part}.ts`));
    expect(timeline.subject(0)).toBe('');
    expect(timeline.subject(1)).toBe('part-1.ts');
  });
});

it('a tool is recognised by one name; beyond 255 tools, the other ones share the last', () => {
  const timeline = new SessionSteps();
  for (let tool = 0; tool < 300; tool++) timeline.push({ ...step('a'), tool: `tool ${tool}` });
  timeline.push({ ...step('a'), tool: 'tool 7' });
  const last = timeline.tool(299);
  expect([timeline.tool(0), timeline.tool(300), timeline.tool(298) === last]).toEqual(['tool 0', 'tool 7', true]);
});

it('the newest 2,000 marks are kept', () => {
  const timeline = new SessionSteps();
  for (let at = 0; at < 2_001; at++) timeline.mark({ at } as never);
  expect([timeline.markers.length, timeline.markers[0]?.at]).toEqual([2_000, 1]);
});

it('a timeline that grows keeps all that it knows of each step', () => {
  const timeline = new SessionSteps();
  for (let n = 0; n < 300; n++)
    timeline.push({
      ...step(`s${n}`),
      at: 1e12 + n,
      outcome: n + 1,
      line: n + 2,
      offset: 5e9 + n,
      failed: n % 2 === 0,
    });
  for (const n of [0, 63, 64, 127, 128, 299]) {
    expect(timeline.at(n)).toBe(1e12 + n);
    expect(timeline.outcome(n)).toBe(n + 1);
    expect(timeline.line(n)).toBe(n + 2);
    expect(timeline.offset(n)).toBe(5e9 + n);
    expect(hasFailed(timeline.flag(n))).toBe(n % 2 === 0);
    expect([timeline.subject(n), timeline.tool(n)]).toEqual([`s${n}`, 'Read']);
  }
});

it('the panel is sent only the steps that it does not have, without room for later ones', () => {
  const timeline = new SessionSteps();
  for (let n = 0; n < 5; n++) timeline.push({ ...step('a'), at: n, outcome: n + 10, line: n + 20, failed: n === 4 });
  const { at, outcomes, lines, flags } = timeline.slice(3);
  expect([[...at], [...outcomes], [...lines]]).toEqual([
    [3, 4],
    [13, 14],
    [23, 24],
  ]);
  expect([...flags].map(hasFailed)).toEqual([false, true]);
  expect(timeline.slice().at).toHaveLength(5);
});
