import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code';
import { decodeFile, matchGolden, print } from './support';

const folder = join(__dirname, 'fixtures/claude-code');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.jsonl'))
  .sort();

describe('real Claude Code runs decode to the same events as before', () => {
  for (const file of files) {
    it(file, async () => {
      const decoded = await decodeFile(claudeCode, join(folder, file));
      matchGolden(`claude-code/${basename(file, '.jsonl')}`, print(decoded));
      expect(decoded.events.length).toBeGreaterThan(0);
    });
  }
});
