import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../src/agents/codex';
import { decodeFile, matchGolden, print } from './support';

const folder = join(__dirname, 'fixtures/codex');

describe('real Codex threads decode to the same events as before', () => {
  for (const file of readdirSync(folder).sort()) {
    it(file, async () => {
      const decoded = await decodeFile(codex, join(folder, file));
      matchGolden(`codex/${basename(file, '.jsonl')}`, print(decoded));
      expect(decoded.problems).toEqual([]);
    });
  }
});
