import { describe, expect, it } from 'vitest';
import { TaskLoop } from '../../../src/core/task-loop';

function loop(options: { timeoutMs?: number; repetitionThreshold?: number } = {}) {
  let time = 0;
  return { task: new TaskLoop({ ...options, now: () => time }), pass: (ms: number) => void (time += ms) };
}

describe('the task loop for agents of other extensions', () => {
  it('is looping at the second equal call in a row, whatever the order of its keys and whatever the outcome', () => {
    const { task } = loop();
    task.recordToolCall('sql_query', { table: 'a', limit: 1 }, 'error: no rows');
    expect(task.checkStuck()).toBeNull();
    task.recordToolCall('sql_query', { limit: 1, table: 'a' }, 'ok');
    const reason = task.checkStuck();
    expect(reason).toEqual({ kind: 'repetition', count: 2, tool: 'sql_query', outcome: 'ok' });
    expect(reason && task.buildRecoveryPrompt(reason)).toBe(
      'Your previous attempt is looping: Tool "sql_query" was called 2 consecutive times with identical arguments. Last outcome: ok. Try a different approach, use a different tool, or decompose the problem.',
    );
  });

  it('is free again when there is another call in between', () => {
    const { task } = loop({ repetitionThreshold: 3 });
    for (const table of ['a', 'a', 'b', 'a', 'a']) task.recordToolCall('sql_query', { table }, 'ok');
    expect(task.checkStuck()).toBeNull();
    task.recordToolCall('sql_query', { table: 'a' }, 'ok');
    expect(task.checkStuck()).toMatchObject({ kind: 'repetition', count: 3 });
  });

  it('has stalled when the time is up, with the last tool and its outcome', () => {
    const { task, pass } = loop();
    task.recordToolCall('web_fetch', { url: 'x' }, 'error: 503');
    pass(29_999);
    expect(task.checkStuck()).toBeNull();
    pass(1_205);
    const reason = task.checkStuck();
    expect(reason && task.buildRecoveryPrompt(reason)).toBe(
      'Your previous attempt stalled after 31204 ms. Last tool: web_fetch → error: 503. Try a different approach or decompose the problem into smaller steps.',
    );
    task.reset();
    expect(task.checkStuck()).toBeNull();
  });
});

it.each([
  { repetitionThreshold: 0 },
  { repetitionThreshold: Number.NaN },
  { timeoutMs: Number.NaN },
  { timeoutMs: -1 },
])('takes %j as a mistake, not as a task that is stuck at once', (options) => {
  const { task, pass } = loop(options);
  task.recordToolCall('ls', {}, 'ok');
  pass(1000);
  expect(task.checkStuck()).toBeNull();
  task.recordToolCall('ls', {}, 'ok');
  expect(task.checkStuck()).toMatchObject({ kind: 'repetition', count: 2 });
});

it.each([
  [{ rows: 0, of: { a: 1 } }, '{"rows":0,"of":{"a":1}}'],
  [new TypeError('no rows'), 'TypeError: no rows'],
  [undefined, 'nothing'],
  [null, 'null'],
  [12n, '12'],
  [new Map([['rows', 0]]), '[["rows",0]]'],
])('shows the outcome %o as the text %s', (outcome, text) => {
  const { task, pass } = loop();
  task.recordToolCall('sql_query', {}, outcome);
  pass(30_000);
  const stalled = task.checkStuck();
  expect(stalled && task.buildRecoveryPrompt(stalled)).toContain(`Last tool: sql_query → ${text}. Try`);
  task.recordToolCall('sql_query', {}, outcome);
  const looping = task.checkStuck();
  expect(looping && task.buildRecoveryPrompt(looping)).toContain(`Last outcome: ${text}. Try`);
});
