import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../src/agents/qwen';
import { decodeFile, matchGolden, print } from './support';

const folder = join(__dirname, 'fixtures/qwen');

describe('real Qwen Code chats decode to the same events as before', () => {
  for (const file of readdirSync(folder).sort()) {
    it(file, async () => {
      const decoded = await decodeFile(qwen, join(folder, file));
      matchGolden(`qwen/${basename(file, '.jsonl')}`, print(decoded));
      expect(decoded.problems).toEqual([]);
    });
  }
});
