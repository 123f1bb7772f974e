import { describe, expect, it } from 'vitest';
import { KeptCalls } from '../../../../src/engine/session/kept-calls';
import type { ToolCallEvent } from '../../../../src/core/model';

const call = (line: number, args: unknown): ToolCallEvent => ({
  type: 'tool_call',
  agent: 'claude-code',
  session: 's',
  at: line,
  source: { file: 'f', line, offset: line * 100 },
  id: `c${line}`,
  name: 'Write',
  args,
  kind: 'changed',
  subject: 'Write',
});
const place = (line: number) => ({ file: 'f', line, offset: line * 100 });

describe('calls that are kept word by word', () => {
  it('are the newest 24', () => {
    const kept = new KeptCalls();
    for (let line = 1; line <= 30; line++) kept.add(call(line, { path: 'a' }));
    expect(kept.at(place(6))).toBeUndefined();
    expect(kept.at(place(7))?.id).toBe('c7');
    expect(kept.at(place(30))?.id).toBe('c30');
    expect(kept.at({ ...place(30), offset: 1 })).toBeUndefined();
  });

  it('are fewer if they hold whole files, and the newest stays whatever its size', () => {
    const kept = new KeptCalls();
    for (let line = 1; line <= 5; line++) kept.add(call(line, { edits: [{ text: 'x'.repeat(10_000) }] }));
    expect(kept.at(place(2))).toBeUndefined();
    expect(kept.at(place(3))).toBeDefined();
    kept.add(call(6, { text: 'x'.repeat(100_000) }));
    expect(kept.at(place(5))).toBeUndefined();
    expect(kept.at(place(6))).toBeDefined();
  });
});

it('the newest call is known whether or not others are kept, and none is after all were freed', () => {
  const kept = new KeptCalls();
  expect(kept.newest).toBeUndefined();
  for (let line = 1; line <= 30; line++) kept.add(call(line, { path: 'a' }));
  expect(kept.newest?.id).toBe('c30');
  expect(kept.at({ ...place(30), line: 29 })).toBeUndefined();
  kept.clear();
  expect([kept.newest, kept.at(place(30))]).toEqual([undefined, undefined]);
});

it('small calls are kept again after a large one has left', () => {
  const kept = new KeptCalls();
  kept.add(call(1, { text: 'x'.repeat(31_000) }));
  for (let line = 2; line <= 20; line++) kept.add(call(line, { text: 'x'.repeat(1_000) }));
  expect(kept.at(place(1))).toBeUndefined();
  expect(kept.at(place(2))?.id).toBe('c2');
});
