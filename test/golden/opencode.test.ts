import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { opencode, opencodeExport, opencodeStream } from '../../src/agents/opencode';
import { databaseOf, readRows } from '../unit/agents/opencode/database';
import { decodeFile, matchGolden, print } from './support';

const folder = join(__dirname, 'fixtures/opencode');
const made = mkdtempSync(join(tmpdir(), 'unstuck-opencode-'));
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** The database that the dumped rows are from. */
async function databaseFile(rows: string): Promise<string> {
  const database = await databaseOf(readRows(join(folder, rows)));
  const path = join(made, rows.replace('.rows.jsonl', '.db'));
  writeFileSync(path, database.bytes());
  database.close();
  return path;
}

describe('real OpenCode sessions decode to the same events as before', () => {
  for (const file of readdirSync(folder).sort()) {
    it(file, async () => {
      const decoded = file.endsWith('.rows.jsonl')
        ? await decodeFile(opencode, await databaseFile(file))
        : await decodeFile(file.endsWith('.json') ? opencodeExport : opencodeStream, join(folder, file));
      matchGolden(`opencode/${file.replace(/\.jsonl?$/, '')}`, print(decoded).replaceAll(made, ''));
      expect(decoded.problems).toEqual([]);
      const calls = decoded.events.filter((event) => event.type === 'tool_call').length;
      expect(calls).toBe(decoded.marked);
    });
  }
});
