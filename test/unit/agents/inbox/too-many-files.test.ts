import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { MOST_MESSAGES, readMessages } from '../../../../src/agents/inbox/messages/waiting';

const folder = mkdtempSync(join(tmpdir(), 'unstuck-inbox-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a thousand files of a folder with too many are inspected, the oldest or the newest, and that is reported', async () => {
  const path = join(folder, 'new');
  mkdirSync(path);
  for (let number = 0; number < MOST_MESSAGES + 50; number++) {
    writeFileSync(join(path, `01ARZ3NDEKTSV4RRFFQ69${String(number).padStart(5, '0')}.json`), '{');
  }
  for (const [keep, first] of [
    ['oldest', '00000.json'],
    ['newest', '00050.json'],
  ] as const) {
    const { problems } = await readMessages(path, keep);
    expect(problems).toHaveLength(MOST_MESSAGES + 1);
    expect(problems[0]?.why).toBe('it holds 1050 files; 1000 of them are looked at');
    expect(problems[1]?.path).toContain(first);
  }
});
