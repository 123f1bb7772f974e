import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { gemini, geminiDocument } from '../../../../src/agents/gemini/adapter';
import { damaged, damages, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';

const folder = join(__dirname, '../../../golden/fixtures/gemini');
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const files = names.map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));

describe('damaged Gemini CLI chats', () => {
  test.prop([fc.constantFrom(...files), damages], 300)('give problems, never exceptions', (lines, list) => {
    const broken = damaged(lines, list);
    const { problems } = decodeAny(gemini, broken);
    expect(problems.length).toBeLessThanOrEqual(broken.length);
  });

  test.prop([fc.constantFrom(...files), fc.infiniteStream(fc.nat(1e6))], 50)(
    'give the same calls in any order of the lines',
    (lines, order) => {
      const keys = [...order.take(lines.length)];
      const shuffled = lines.map((line, index) => ({ line, key: keys[index] ?? 0 })).sort((a, b) => a.key - b.key);
      const ids = (list: readonly string[]) =>
        decodeAny(gemini, list)
          .events.flatMap((event) => (event.type === 'tool_call' ? event.id : []))
          .sort();
      expect(ids(shuffled.map(({ line }) => line))).toEqual(ids(lines));
    },
  );

  test.prop([fc.constantFrom(...files), damages], 100)('of the older kind report problems as well', (lines, list) => {
    const messages = damaged(lines, list).filter((line) => line.startsWith('{"id"'));
    decodeAny(geminiDocument, [`{"sessionId":"s","messages":[${messages.join(',')}]}`]);
  });
});
