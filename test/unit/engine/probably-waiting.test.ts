import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { PATIENCE } from '../../support/patience';
import { FakeClock } from '../history/support/fake-clock';
import { homeFolder, stage } from './support';

const SESSION = '11111111-0000-4000-8000-0000000000aa';

it('reports live that an agent probably waits, without a further line, and that it continues with the result', async () => {
  const clock = new FakeClock(Date.now());
  const home = homeFolder();
  const cwd = join(home, 'work');
  const base = { isSidechain: false, sessionId: SESSION, version: '2.1.62', cwd, entrypoint: 'cli' };
  const line = (fields: object) =>
    `${JSON.stringify({ ...base, timestamp: new Date(clock.now()).toISOString(), ...fields })}\n`;
  const message = (content: object[]) => ({ id: 'm1', type: 'message', role: 'assistant', model: 'x', content });
  const input = { command: 'npm publish', description: 'Publish' };

  const folder = join(home, '.claude/projects/-work');
  const file = join(folder, `${SESSION}.jsonl`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    line({ uuid: 'u1', type: 'user', permissionMode: 'default', message: { role: 'user', content: 'Go' } }) +
      line({ uuid: 'u2', type: 'assistant', message: message([{ type: 'tool_use', id: 't', name: 'Bash', input }]) }),
  );
  const { engine } = stage({ home, clock });
  const told: string[] = [];
  engine.onDidChange((keys) => {
    if (!keys.includes(SESSION)) return;
    const state = engine.shownAgent(SESSION)?.state;
    const words = state?.probable ? 'probably waiting' : (state?.kind ?? 'gone');
    if (told.at(-1) !== words) told.push(words);
  });
  engine.start();
  const reach = (words: string) =>
    vi.waitFor(() => {
      clock.pass(1);
      expect(told.at(-1)).toBe(words);
    }, PATIENCE);

  await reach('working');
  clock.pass(20_000);
  await reach('probably waiting');
  appendFileSync(
    file,
    line({
      uuid: 'u3',
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'published' }] },
    }),
  );
  await reach('working');
  expect(told).toEqual(['working', 'probably waiting', 'working']);
});
