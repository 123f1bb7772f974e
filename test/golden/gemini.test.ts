import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../src/agents/gemini';
import { decodeFile, matchGolden, print } from './support';

const folder = join(__dirname, 'fixtures/gemini');

describe('real Gemini CLI chats decode to the same events as before', () => {
  for (const file of readdirSync(folder).sort()) {
    it(file, async () => {
      const decoded = await decodeFile(gemini, join(folder, file));
      matchGolden(`gemini/${basename(file, '.jsonl')}`, print(decoded));
      expect(decoded.problems).toEqual([]);
    });
  }
});
