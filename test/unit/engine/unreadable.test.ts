import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemFs, type TailFs } from '../../../src/base/tail/file-system';
import { silentLog } from '../../../src/base/util/log';
import { PATIENCE } from '../../support/patience';
import { genericLines, stage } from './support';

/** The system's files, where opening one whose name ends like this fails with a code while `isOn`. */
function failing(code: string, isOn: () => boolean): TailFs {
  const { local: _local, ...others } = systemFs;
  return {
    ...others,
    open: (path) =>
      isOn() && path.endsWith('.agent.jsonl')
        ? Promise.reject(Object.assign(new Error(code), { code }))
        : systemFs.open(path),
  };
}

describe('a transcript that cannot be read', () => {
  it.each([
    ['EACCES', /^not readable: permission was denied\. It is followed as soon as/],
    ['EMFILE', /^not read: too many files are open\. Raise the limit/],
  ])('for %s is reported once next to the agents and in the log', async (code, why) => {
    const warn = vi.fn();
    const { engine, workspace } = stage({ fs: failing(code, () => true), log: { ...silentLog, warn } });
    for (const name of ['a', 'b']) {
      writeFileSync(join(workspace, `${name}.agent.jsonl`), `${genericLines(name, 1).join('\n')}\n`);
    }
    engine.start();
    const files = code === 'EMFILE' ? 1 : 2;
    await vi.waitFor(() => expect(engine.unreadFiles()).toHaveLength(files), PATIENCE);
    for (const unread of engine.unreadFiles()) expect(unread.why).toMatch(why);
    expect(warn).toHaveBeenCalledTimes(files);
  });

  it('is followed when it can be read, and the report disappears', async () => {
    let isOn = true;
    const { engine, workspace } = stage({ fs: failing('EACCES', () => isOn) });
    const file = join(workspace, 'a.agent.jsonl');
    writeFileSync(file, `${genericLines('a', 1).join('\n')}\n`);
    engine.start();
    await vi.waitFor(() => expect(engine.unreadFiles()).toHaveLength(1), PATIENCE);
    isOn = false;
    engine.consider({ path: file, size: 400, modifiedAt: Date.now(), inode: 1, appeared: false });
    await vi.waitFor(() => expect(engine.agent('a')?.coverage.seen).toBe(1), PATIENCE);
    expect(engine.unreadFiles()).toEqual([]);
  });
});
