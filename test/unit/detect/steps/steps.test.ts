import { describe, expect, test } from 'vitest';
import { createStepAssembler } from '../../../../src/detect/steps/steps';
import type { AgentEvent } from '../../../../src/core/model';

const base = { agent: 'generic' as const, session: 's', at: 0, source: { file: 'f', line: 1, offset: 0 } };
const call = (id: string, name = id, batch?: string): AgentEvent => ({
  ...base,
  type: 'tool_call',
  ...(batch && { batch }),
  id,
  name,
  args: {},
  kind: 'ran',
  subject: name,
});
const result = (id: string, output = ''): AgentEvent => ({ ...base, type: 'tool_result', id, output, isError: false });

const says: AgentEvent = { ...base, type: 'assistant', text: 'Now the tests.', chunk: false };

/** Calls that run after these events. */
function running(...events: AgentEvent[]): string[] {
  const assembler = createStepAssembler();
  for (const event of events) assembler.push(event, () => {});
  return assembler.pending.map(({ name }) => name);
}

function pairs(...events: AgentEvent[]): string[] {
  const assembler = createStepAssembler();
  const found: string[] = [];
  for (const event of events) assembler.push(event, (one, other) => void found.push(`${one.name}=${other.output}`));
  return found;
}

describe('calls and results', () => {
  test('come without the reminder that the harness adds below a result', () => {
    const reminder = '<system-reminder>\nThe file a.md was changed.\n</system-reminder>';
    expect(pairs(call('a'), result('a', `[]\n\n${reminder}`), call('b'), result('b', reminder))).toEqual([
      'a=[]',
      'b=',
    ]);
  });

  test('are paired by id, in the order of the results', () => {
    expect(pairs(call('a'), call('b'), result('b', '2'), result('a', '1'))).toEqual(['b=2', 'a=1']);
  });

  test('a result may come before its call', () => {
    expect(pairs(result('a', '1'), call('a'), call('b'), result('b', '2'))).toEqual(['a=1', 'b=2']);
  });

  test('an id may be reused', () => {
    expect(pairs(call('x', 'one'), result('x', '1'), call('x', 'two'), result('x', '2'))).toEqual(['one=1', 'two=2']);
    expect(pairs(call('x', 'one'), call('x', 'two'), result('x', '1'), result('x', '2'))).toEqual(['one=1', 'two=2']);
  });

  test('a call without a result waits until its turn ends', () => {
    const assembler = createStepAssembler();
    assembler.push(call('a'), () => {});
    expect(assembler.pending).toHaveLength(1);
    assembler.push({ ...base, type: 'turn_end', reason: 'interrupted' }, () => {});
    expect(assembler.pending).toHaveLength(0);
  });

  //  build ───────────────────────?          no result was written
  //          ls ── listing
  //                        "Now the tests."   the model has its answers: nothing runs
  test('a call whose result was never written no longer runs once the agent continues after a later one', () => {
    expect(running(call('build'), call('ls'), result('ls'))).toEqual(['build']);
    expect(running(call('build'), call('ls'), result('ls'), says)).toEqual([]);
    expect(running(call('build'), call('ls'), result('ls'), call('cat'))).toEqual(['cat']);
    expect(running(call('build'), says)).toEqual(['build']);
  });

  test('calls of one batch keep running while others in it are made and answered', () => {
    expect(
      running(call('build', 'build', 'm1'), call('ls', 'ls', 'm1'), result('ls'), call('cat', 'cat', 'm1')),
    ).toEqual(['build', 'cat']);
  });

  test('a result that comes late still finds its call', () => {
    expect(pairs(call('build'), call('ls'), result('ls', '1'), says, result('build', '2'))).toEqual([
      'ls=1',
      'build=2',
    ]);
  });

  test('results that never come and calls that never come take bounded memory', () => {
    const assembler = createStepAssembler();
    for (let i = 0; i < 10_000; i++) assembler.push(i % 2 ? call(`c${i}`) : result(`r${i}`), () => {});
    expect(assembler.pending.length).toBeLessThanOrEqual(64);
  });

  test('a result whose call never came is not paired with a call much later', () => {
    const waits = Array.from({ length: 300 }, (_, i) => call(`w${i}`));
    expect(pairs(result('x', 'old'), ...waits, call('x', 'late'), result('x', 'new'))).toEqual(['late=new']);
  });
});

/** The message of each call, by its name: `a1 b1 c2`. */
function messages(...events: AgentEvent[]): string {
  const assembler = createStepAssembler();
  const found: string[] = [];
  for (const event of events) assembler.push(event, ({ name }, _, message) => void found.push(`${name}${message}`));
  return found.join(' ');
}

describe('calls of one message', () => {
  test('are those of one batch, however their results are ordered', () => {
    expect(
      messages(call('a', 'a', 'm1'), result('a'), call('b', 'b', 'm1'), result('b'), call('c', 'c', 'm2'), result('c')),
    ).toBe('a1 b1 c2');
  });

  test('are those issued before the first of their results, if the format has no messages', () => {
    expect(messages(call('a'), call('b'), result('b'), result('a'), call('c'), result('c'))).toBe('b1 a1 c2');
    expect(messages(call('a'), result('a'), call('b'), result('b'))).toBe('a1 b2');
  });

  test('a call after a batch is another message, and so is a batch after a call', () => {
    expect(messages(call('a', 'a', 'm1'), result('a'), call('b'), result('b'), call('c', 'c', 'm2'), result('c'))).toBe(
      'a1 b2 c3',
    );
  });

  test('a result that comes late belongs to the message of its call', () => {
    expect(messages(call('a'), call('b'), result('b'), says, call('c'), result('c'), result('a'))).toBe('b1 c2 a1');
  });
});
