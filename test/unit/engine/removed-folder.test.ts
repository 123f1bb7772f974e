import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { PATIENCE } from '../../support/patience';
import { genericLines, stage } from './support';

it('a folder that is closed takes its agents along, and brings them back when it is opened again', async () => {
  const { engine, home, workspace, settings } = stage();
  const other = join(home, 'other');
  mkdirSync(other);
  for (const [folder, session] of [
    [workspace, 'here'],
    [other, 'there'],
  ] as const)
    writeFileSync(join(folder, `${session}.agent.jsonl`), `${genericLines(session, 2).join('\n')}\n`);
  const sessions = () =>
    engine
      .agents()
      .map(({ session }) => session)
      .sort();
  engine.start();
  engine.configure({ ...settings, folders: [workspace, other] });
  await vi.waitFor(() => expect(sessions()).toEqual(['here', 'there']), PATIENCE);
  engine.configure({ ...settings, folders: [workspace] });
  expect(sessions()).toEqual(['here']);
  engine.configure({ ...settings, folders: [workspace, other] });
  await vi.waitFor(() => expect(sessions()).toEqual(['here', 'there']), PATIENCE);
});
