import { describe, expect, it } from 'vitest';
import type { AgentEvent, CountedThing } from '../../../../src/core/model';
import { sessionWith } from './support';

type EventFields = AgentEvent extends infer One
  ? One extends AgentEvent
    ? Omit<One, 'agent' | 'session' | 'at' | 'source'>
    : never
  : never;

const FILE = '/t.jsonl';

function session() {
  const made = sessionWith({ file: FILE, live: false });
  let line = 0;
  const push = (fields: EventFields) => {
    line++;
    const source = { file: FILE, line, offset: line * 100 };
    made.push({ agent: 'generic', session: 's', at: line * 1000, source, ...fields });
  };
  let calls = 0;
  const step = (name: string, subject: string, result: Partial<Extract<AgentEvent, { type: 'tool_result' }>> = {}) => {
    const id = `c${++calls}`;
    push({ type: 'tool_call', id, name, kind: 'ran', subject, args: { subject }, command: subject });
    push({ type: 'tool_result', id, output: `${subject} ${calls}`, isError: false, ...result });
  };
  const health = () => made.view(line * 1000).health;
  const counted = (thing: CountedThing, name?: string) =>
    made.health.counted(thing, { timeline: made.timeline, file: FILE, ...(name !== undefined && { name }) });
  return { made, push, step, health, counted };
}

describe('everything that loop health counts can be opened', () => {
  it('calls, all and of one tool, the newest first, each at the line of its result', () => {
    const { step, health, counted } = session();
    step('Bash', 'make');
    step('Read', 'a.ts');
    step('Bash', 'make test', { isError: true });
    expect(health().callsByTool).toEqual({ Bash: 2, Read: 1 });
    expect(counted('calls').map(({ text, source }) => [text, source.line])).toEqual([
      ['make test', 6],
      ['a.ts', 4],
      ['make', 2],
    ]);
    expect(counted('calls', 'Bash').map(({ text, failed }) => [text, failed])).toEqual([
      ['make test', true],
      ['make', undefined],
    ]);
    expect(counted('calls', 'Write')).toEqual([]);
  });

  it('failed calls, as many as are counted', () => {
    const { step, health, counted } = session();
    for (const code of [0, 1, 1, 0]) step('Bash', `run ${code}`, { isError: code === 1 });
    expect(health()).toMatchObject({ failures: 2, failuresInARow: 0 });
    expect(counted('failures').map(({ source }) => source)).toEqual([
      { file: FILE, line: 6, offset: 600 },
      { file: FILE, line: 4, offset: 400 },
    ]);
  });

  it('malformed calls, even those that only appear in an error', () => {
    const { push, step, health, counted } = session();
    step('Bash', 'make', { isError: true, validation: { kind: 'invalid_arguments', error: 'no command' } });
    push({ type: 'error', kind: 'validation', message: 'the tool Bsh is not known' });
    expect(health().validationFailures).toBe(2);
    expect(counted('malformed').map(({ text, source }) => [text, source.line])).toEqual([
      ['the tool Bsh is not known', 3],
      ['make', 2],
    ]);
  });

  it('malformed calls in a row, until a call is well formed', () => {
    const { step, health } = session();
    const validation = { kind: 'invalid_arguments', error: 'no command' } as const;
    for (let call = 0; call < 2; call++) step('Bash', 'make', { isError: true, validation });
    expect(health()).toMatchObject({ validationFailures: 2, validationFailuresInARow: 2 });
    step('Bash', 'make test', { isError: true });
    expect(health()).toMatchObject({ validationFailures: 2, validationFailuresInARow: 0 });
  });

  it('plan items that are blocked, each separately', () => {
    const { push, health, counted } = session();
    const items = [
      { id: '1', title: 'Write the docs', status: 'blocked' as const },
      { id: '2', title: 'Publish', status: 'pending' as const },
    ];
    push({ type: 'plan', items });
    push({ type: 'plan', items });
    expect(health().blockedByPlanItem).toEqual({ 1: 2 });
    expect(counted('blocked', '1').map(({ text, source }) => [text, source.line])).toEqual([
      ['Write the docs', 2],
      ['Write the docs', 1],
    ]);
    expect(counted('blocked', '2')).toEqual([]);
  });

  it('what the agent said when it called itself done', () => {
    const { push, health, counted } = session();
    push({ type: 'completion', claim: 'All tests pass now.' });
    expect(health().gateAttempts).toBe(1);
    expect(counted('claims').map(({ text, source }) => [text, source.line])).toEqual([['All tests pass now.', 1]]);
  });

  it('at most the newest thousand calls', () => {
    const { step, counted } = session();
    for (let number = 0; number < 1_005; number++) step('Bash', `make ${number}`);
    expect(counted('calls')).toHaveLength(1_000);
    expect(counted('calls')[0]?.text).toBe('make 1004');
  });
});

it('a plan that keeps blocking other items does not fill memory, and known items are still counted', () => {
  const { push, health } = session();
  const blocked = (id: number) => ({ id: String(id), title: 't', status: 'blocked' as const });
  push({ type: 'plan', items: Array.from({ length: 1_001 }, (_, id) => blocked(id)) });
  push({ type: 'plan', items: [blocked(0), blocked(1_000)] });
  const { blockedByPlanItem } = health();
  expect(Object.keys(blockedByPlanItem)).toHaveLength(1_000);
  expect([blockedByPlanItem['0'], blockedByPlanItem['1000']]).toEqual([2, undefined]);
});

it('failures in a row end with a step that works', () => {
  const { step, health } = session();
  for (const isError of [true, true, false, true]) step('Bash', 'make', { isError });
  expect(health()).toMatchObject({ failures: 3, failuresInARow: 1 });
});

it('a note does not change with what is counted later', () => {
  const { made, push } = session();
  push({ type: 'error', kind: 'validation', message: 'no such tool' });
  const note = made.health.note();
  push({ type: 'error', kind: 'validation', message: 'no such tool' });
  expect(note.places.malformed).toHaveLength(1);
});
