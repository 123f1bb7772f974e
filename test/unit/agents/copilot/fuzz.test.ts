import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { copilot } from '../../../../src/agents/copilot/adapter';
import { damaged, damages, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';

const folder = join(__dirname, '../../../golden/fixtures/copilot');
const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));

describe('damaged Copilot CLI sessions', () => {
  test.prop([fc.constantFrom(...files), damages], 300)('give problems, never exceptions', (lines, list) => {
    const broken = damaged(lines, list);
    const { problems } = decodeAny(copilot, broken);
    expect(problems.length).toBeLessThanOrEqual(broken.length);
  });

  test.prop([fc.constantFrom(...files), fc.infiniteStream(fc.nat(1e6))], 50)(
    'pair calls with results in any order of the lines',
    (lines, order) => {
      const keys = [...order.take(lines.length)];
      const shuffled = lines.map((line, index) => ({ line, key: keys[index] ?? 0 })).sort((a, b) => a.key - b.key);
      const { events } = decodeAny(
        copilot,
        shuffled.map(({ line }) => line),
      );
      const straight = decodeAny(copilot, lines).events.filter((event) => event.type === 'tool_call').length;
      expect(events.filter((event) => event.type === 'tool_call').length).toBeGreaterThanOrEqual(straight);
    },
  );
});
