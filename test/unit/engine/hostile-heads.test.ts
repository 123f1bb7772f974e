import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../support/patience';
import { threadedFs } from '../base/tail/support';
import { stage, upToNow } from './support';

const recording = upToNow(readFileSync(resolve(__dirname, '../../../media/demo/same-command.jsonl'), 'utf8'));
/** Beginnings of files, 64 KB long, that were slow to check. */
const PUMPS = ['\n', '\r\n', ' ', '{\n', '[', '{"a":[', '{"type":"', '"sessionId":"a",', '```\n'];

describe('a workspace full of files that were made to be slow', () => {
  it('does not hide the agent that works there, and each file is inspected once', async () => {
    const opened: string[] = [];
    const disk = threadedFs();
    const fs = threadedFs({
      open: (path) => {
        opened.push(basename(path));
        return disk.open(path);
      },
    });
    const { engine, home, workspace } = stage({ fs });
    const names: string[] = [];
    for (const [index, pump] of PUMPS.entries())
      for (let copy = 0; copy < 8; copy++) {
        const folder = join(workspace, `${index}-${copy}`);
        mkdirSync(folder);
        const name = `${index}-${copy}.trajectory.json`;
        names.push(name);
        writeFileSync(join(folder, name), pump.repeat(Math.ceil(65_536 / pump.length)));
        // newer than the lines of the agent
        utimesSync(join(folder, name), Date.now() / 1_000 + 60, Date.now() / 1_000 + 60);
      }
    const project = join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(project, { recursive: true });
    writeFileSync(
      join(project, '11111111-0000-4000-8000-00000000000a.jsonl'),
      recording.split('/home/dev/project').join(workspace),
    );
    engine.start();
    await vi.waitFor(() => expect(engine.agents().map(({ agent }) => agent)).toEqual(['claude-code']), PATIENCE);
    await vi.waitFor(() => expect([...new Set(opened)]).toEqual(expect.arrayContaining(names)), PATIENCE);
    for (const name of names) expect(opened.filter((one) => one === name)).toEqual([name]);
    expect(engine.agents().map(({ agent }) => agent)).toEqual(['claude-code']);
  });
});
