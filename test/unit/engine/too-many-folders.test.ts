import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { PATIENCE } from '../../support/patience';
import { stage } from './support';

/** Each folder costs 2 KB and a check every minute, and nothing limits how many a workspace or a store has. */
it('more folders than a window holds are left out, which is reported once next to the agents until others are open', async () => {
  const { engine, home, workspace, settings } = stage({ folderLimit: 40 });
  for (let folder = 0; folder < 30; folder++) mkdirSync(join(workspace, `f${folder}`));
  const small = join(home, 'small');
  mkdirSync(small);
  engine.start();
  await vi.waitFor(() => expect(engine.unreadFiles()).toHaveLength(1), PATIENCE);
  // Its share depends on how many stores of agents are read.
  const why = /^followed only in part: \d+ of its folders\. Delete old ones, or open a subfolder/;
  expect(engine.unreadFiles()).toEqual([{ adapter: null, file: workspace, why: expect.stringMatching(why) as string }]);
  engine.configure({ ...settings, folders: [small] });
  expect(engine.unreadFiles()).toEqual([]);
});

it('more transcripts in a folder than its watcher reports are mentioned once next to the agents, until others are open', () => {
  const { engine, home, workspace, settings } = stage();
  engine.leftSomeOut(workspace, 2_000);
  engine.leftSomeOut(workspace, 2_000);
  const why =
    'followed only in part: 2000 of its transcripts, and the others once they change. Delete old ones, or open a subfolder.';
  expect(engine.unreadFiles()).toEqual([{ adapter: null, file: workspace, why }]);
  engine.configure({ ...settings, folders: [home] });
  expect(engine.unreadFiles()).toEqual([]);
});
