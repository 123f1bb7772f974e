import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { codex } from '../../../../src/agents/codex/adapter';
import { innerCalls } from '../../../../src/agents/codex/script';
import { damaged, damages, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';

const folder = join(__dirname, '../../../golden/fixtures/codex');
const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));

describe('damaged Codex threads', () => {
  test.prop([fc.constantFrom(...files), damages], 300)('give problems, never exceptions', (lines, list) => {
    const broken = damaged(lines, list);
    const { problems } = decodeAny(codex, broken);
    expect(problems.length).toBeLessThanOrEqual(broken.length);
  });

  test.prop([fc.constantFrom(...files), fc.infiniteStream(fc.nat(1e6))], 50)(
    'pair calls with results in any order of the lines',
    (lines, order) => {
      const keys = [...order.take(lines.length)];
      const shuffled = lines.map((line, index) => ({ line, key: keys[index] ?? 0 })).sort((a, b) => a.key - b.key);
      const { events } = decodeAny(
        codex,
        shuffled.map(({ line }) => line),
      );
      const straight = decodeAny(codex, lines).events.filter((event) => event.type === 'tool_call').length;
      expect(events.filter((event) => event.type === 'tool_call').length).toBeGreaterThanOrEqual(straight);
    },
  );

  test.prop([fc.string({ maxLength: 200 }), fc.string({ maxLength: 100 })])(
    'include scripts of any text',
    (before, after) => {
      expect(Array.isArray(innerCalls(`${before} tools.exec_command({cmd: "ls"}) ${after}`))).toBe(true);
      expect(Array.isArray(innerCalls(`tools.x({a: ${before}`))).toBe(true);
    },
  );
});
