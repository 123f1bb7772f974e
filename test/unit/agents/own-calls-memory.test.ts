import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/agents/registry';

const LINES = 300;
const LINE_BYTES = 64 * 1024;

/** One long line with one call, for each agent that counts calls by their ids. */
const CALLS: Record<string, (id: string, text: string) => object> = {
  'claude-code line': (id, text) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: `toolu_01Mock${id}`, name: 'Write', input: { content: text } }] },
  }),
  'codex line': (id, text) => ({
    type: 'item.completed',
    item: { id: `item_with_a_long_name_${id}`, type: 'command_execution', aggregated_output: text },
  }),
  'opencode document': (id, text) => ({
    parts: [{ type: 'tool', callID: `call_with_a_long_name_${id}`, output: text }],
  }),
};

const counting = registry.filter((adapter) => 'createOwnCalls' in adapter);

describe('the calls of a long session', () => {
  //   id of a call │ 64 KB of the same line
  it.each(Object.entries(CALLS))('are counted once each, and none keeps its line in memory: %s', (name, call) => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const lineOf = (index: number) => {
      const id = String(index).padStart(12, '0');
      // Decoded from bytes, as lines of a file are: anything cut from it is a view of it.
      return Buffer.from(JSON.stringify(call(id, id.repeat(LINE_BYTES / id.length)))).toString();
    };
    const counters = counting
      .filter(({ id, unit }) => `${id} ${unit}` === name)
      .map((adapter) => adapter.createOwnCalls?.())
      .filter((count) => count !== undefined);
    const own = counters.find((count) => count(lineOf(LINES), 1) === 1 && count(lineOf(LINES), 1) === 0);
    collect();
    const before = process.memoryUsage().heapUsed;
    let counted = 0;
    for (let index = 0; index < LINES; index++) counted += own?.(lineOf(index), 1) ?? 0;
    collect();
    const kept = process.memoryUsage().heapUsed - before;
    expect(counted).toBe(LINES);
    expect(own?.(lineOf(0), 1)).toBe(0);
    expect(kept).toBeLessThan((LINES * LINE_BYTES) / 4);
  });
});
