import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copilot } from '../../src/agents/copilot';
import { decodeFile, matchGolden, print } from './support';

const folder = join(__dirname, 'fixtures/copilot');

describe('real Copilot CLI sessions decode to the same events as before', () => {
  for (const file of readdirSync(folder).sort()) {
    it(file, async () => {
      const decoded = await decodeFile(copilot, join(folder, file));
      matchGolden(`copilot/${basename(file, '.jsonl')}`, print(decoded));
      expect(decoded.problems).toEqual([]);
    });
  }
});
