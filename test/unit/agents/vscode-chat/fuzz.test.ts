import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { vscodeChat } from '../../../../src/agents/vscode-chat/adapter';
import { damaged, damages, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';

const folder = join(__dirname, '../../../golden/fixtures/vscode-chat');
const linesOf = (...path: readonly string[]) =>
  readFileSync(join(folder, ...path), 'utf8')
    .trimEnd()
    .split('\n');
/** Both files of a session as one: a line is recognised by its form. */
const sessions = readdirSync(join(folder, 'chatSessions')).map((name) => [
  ...linesOf('chatSessions', name),
  ...linesOf('GitHub.copilot-chat/transcripts', name),
]);

describe('damaged sessions of the chat agent', () => {
  test.prop([fc.constantFrom(...sessions), damages], 200)('give problems, never exceptions', (lines, list) => {
    const broken = damaged(lines, list);
    const { problems } = decodeAny(vscodeChat, broken);
    // Both records of one line can be damaged.
    expect(problems.length).toBeLessThanOrEqual(broken.length * 2);
  });

  test.prop([fc.constantFrom(...sessions), fc.infiniteStream(fc.nat(1e6))], 50)(
    'report each call once in any order of the lines',
    (lines, order) => {
      const keys = [...order.take(lines.length)];
      const shuffled = lines.map((line, index) => ({ line, key: keys[index] ?? 0 })).sort((a, b) => a.key - b.key);
      const { events } = decodeAny(
        vscodeChat,
        shuffled.map(({ line }) => line),
      );
      const ids = events.flatMap((event) => (event.type === 'tool_call' ? [event.id] : []));
      expect(ids.length).toBe(new Set(ids).size);
    },
  );
});
