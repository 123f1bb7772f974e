import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendMessage } from '../../../../src/agents/inbox';
import { ReplayCommand } from '../../../../src/editor/replay/command';
import { Replays } from '../../../../src/editor/replay/sessions';
import { PATIENCE } from '../../../support/patience';
import { folder } from '../../support/folder';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

let commands: ReplayCommand[];
beforeEach(() => {
  resetEditor();
  commands = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  for (const command of commands) command.dispose();
  vi.useRealTimers();
});

/** A window that can replay, and what its engine received. */
function stage() {
  const storage = folder();
  const considered: { readonly path: string; readonly size: number; readonly appeared: boolean }[] = [];
  const watched: string[] = [];
  const replayed = new Replays();
  let now = Date.now();
  const command = new ReplayCommand(
    {
      context: { globalStorageUri: { fsPath: storage }, extensionUri: { fsPath: resolve(__dirname, '../../../..') } },
      engine: { consider: (file: (typeof considered)[number]) => void considered.push(file) },
      now: () => ++now,
      replayed,
    } as never,
    { addReplayed: (one: string) => void watched.push(one) } as never,
  );
  commands.push(command);
  /** Advances time until this is true. A beat ends with its files, which our clock does not move. */
  const play = (isSo: () => boolean) =>
    expect
      .poll(() => {
        vi.advanceTimersByTime(10_000);
        return isSo();
      }, PATIENCE)
      .toBe(true);
  const linesOf = (path = '') => readFileSync(path, 'utf8').split('\n').length - 1;
  return { command, storage, considered, watched, replayed, play, linesOf };
}
const replaying = () => editor.commands.findLast(([, key]) => key === 'unstuck.replaying')?.[2];

describe('a replay', () => {
  it('plays three runs as if they were written now, in its own folder', async () => {
    const { command, storage, considered, watched, replayed, play, linesOf } = stage();
    await command.start();
    expect(considered).toHaveLength(3);
    expect(considered.every(({ path, size, appeared }) => path.startsWith(storage) && size > 0 && appeared)).toBe(true);
    expect(replayed.shown()).toHaveLength(3);
    expect([replaying(), watched.length]).toEqual([true, 1]);
    expect(command.isReplayed({ cwd: watched[0]! })).toBe(true);
    expect([command.isReplayed({ cwd: '/home/me' }), command.isReplayed({})]).toEqual([false, false]);
    const [first] = considered;
    const before = linesOf(first?.path);
    await play(() => linesOf(first?.path) > before);
  });

  it('takes a nudge, and no other message', async () => {
    const { command, considered, watched, play } = stage();
    await command.start();
    const [stuck] = considered;
    const session = /([\w-]+)\.jsonl$/.exec(stuck?.path ?? '')?.[1] ?? '';
    const send = (kind: 'nudge' | 'stop', text: string) =>
      sendMessage(
        watched[0] ?? '',
        { session, agent: 'claude-code', kind, text, automated: false, expiryMs: 600_000 } as never,
        Date.now(),
      );
    const written = () => readFileSync(stuck?.path ?? '', 'utf8');
    await send('stop', 'Stop at once.');
    await send('nudge', 'Look at the test.');
    await play(() => written().includes('Look at the test.'));
    expect(written()).not.toContain('Stop at once.');
  });

  it('ends for the menus when all of its runs have ended', async () => {
    const { command, considered, watched, play } = stage();
    await command.start();
    for (const { path } of considered) {
      const session = /([\w-]+)\.jsonl$/.exec(path)?.[1] ?? '';
      const draft = {
        session,
        agent: 'claude-code',
        kind: 'nudge',
        text: 'Look.',
        automated: false,
        expiryMs: 600_000,
      };
      await sendMessage(watched[0] ?? '', draft as never, Date.now());
    }
    await play(() => replaying() === false);
  });

  it('ends for the menus, too, when another window has removed its files to play its own', async () => {
    const { command, storage, play } = stage();
    await command.start();
    rmSync(join(storage, 'replay'), { recursive: true });
    await play(() => replaying() === false);
  });

  it('disappears from the lists when it is stopped, and writes nothing more', async () => {
    const { command, considered, replayed, linesOf } = stage();
    await command.start();
    command.stop();
    expect([replayed.shown(), replaying(), vi.getTimerCount()]).toEqual([[], false, 0]);
    const before = considered.map(({ path }) => linesOf(path));
    vi.advanceTimersByTime(60_000);
    expect(considered.map(({ path }) => linesOf(path))).toEqual(before);
  });

  it('starts again: what an earlier one left is gone', async () => {
    const { command, storage, considered, watched, replayed } = stage();
    mkdirSync(join(storage, 'replay/1'), { recursive: true });
    writeFileSync(join(storage, 'replay/1/left.txt'), '');
    await command.start();
    const [first] = considered;
    await command.start();
    expect([existsSync(join(storage, 'replay/1')), existsSync(first?.path ?? '')]).toEqual([false, false]);
    expect(readdirSync(join(storage, 'replay'))).toHaveLength(1);
    expect([replayed.shown().length, command.isReplayed({ cwd: watched[0]! })]).toEqual([3, false]);
  });

  it('is played once, however fast it is started twice', async () => {
    const { command, considered, replayed, storage } = stage();
    await Promise.all([command.start(), command.start()]);
    expect([considered.length, replayed.shown().length, vi.getTimerCount()]).toEqual([3, 3, 3]);
    expect(considered.every(({ path }) => existsSync(path))).toBe(true);
    expect(readdirSync(join(storage, 'replay'))).toHaveLength(1);
  });

  it('that is stopped while it starts, or whose window closes then, does not play', async () => {
    const { command, considered, replayed } = stage();
    const starting = command.start();
    command.stop();
    await starting;
    expect([replayed.shown(), considered, replaying(), vi.getTimerCount()]).toEqual([[], [], false, 0]);
    const closing = command.start();
    command.dispose();
    await closing;
    expect([considered, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('ends with its window', async () => {
    const { command } = stage();
    await command.start();
    command.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});
