import { describe, expect, it } from 'vitest';
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

  it('are unknown, and no other ones, where too many came since', () => {
    const timeline = new SessionSteps();
    for (let part = 0; part < 20_001; part++) timeline.push(step(`part-${part}.ts`));
    expect(timeline.subject(0)).toBe('');
    expect(timeline.subject(1)).toBe('part-1.ts');
  });
});

it('a tool is known by one name, and a session of ever other tools by the last of 255', () => {
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
