import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../../src/engine/engine';
import { genericLines, stage } from './support';
import { PATIENCE } from '../../support/patience';

const text = (session: string, steps: number) => `${genericLines(session, steps).join('\n')}\n`;
const seen = (engine: Engine, session: string) => engine.agent(session)?.coverage.seen;

describe('bad input: each case costs a problem at most, never the session', () => {
  it('NUL bytes before a line, within one, and a file of nothing else', async () => {
    const { engine, workspace } = stage();
    const [head = '', ...rest] = genericLines('nuls', 3);
    const file = join(workspace, 'nuls.agent.jsonl');
    const broken = '{"v":1,"type":"assistant","text":"a\u0000b"}';
    writeFileSync(file, `${head}\n${'\u0000'.repeat(5_000)}${rest[0]}\n${broken}\n${rest.slice(1).join('\n')}\n`);
    writeFileSync(join(workspace, 'only.agent.jsonl'), Buffer.alloc(300_000));
    engine.start();
    await vi.waitFor(() => expect(engine.agent('nuls')?.coverage).toMatchObject({ seen: 3, there: 3 }), PATIENCE);
    expect(engine.agent('nuls')?.coverage.problems.length).toBe(2);
    expect(engine.agents().map((view) => view.session)).toEqual(['nuls']);
  });

  it('bytes that are not UTF-8', async () => {
    const { engine, workspace } = stage();
    const lines = genericLines('bytes', 2);
    const wild = Buffer.concat([
      Buffer.from('{"v":1,"session":"bytes","type":"assistant","text":"'),
      Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf0, 0x9f]),
      Buffer.from('"}\n'),
    ]);
    const file = join(workspace, 'bytes.agent.jsonl');
    writeFileSync(file, `${lines.slice(0, 3).join('\n')}\n`);
    appendFileSync(file, wild);
    appendFileSync(file, Buffer.from([0x80, 0x81, 0x0a]));
    appendFileSync(file, `${lines.slice(3).join('\n')}\n`);
    engine.start();
    const whole = { seen: 2, there: 2, skipped: 1, lines: lines.length + 2 };
    await vi.waitFor(() => expect(engine.agent('bytes')?.coverage).toMatchObject(whole), PATIENCE);
  });

  it('lines that end with a carriage return, and a byte order mark', async () => {
    const { engine, workspace } = stage();
    writeFileSync(join(workspace, 'crlf.agent.jsonl'), `\ufeff${genericLines('crlf', 4).join('\r\n')}\r\n\r\n`);
    engine.start();
    const whole = { seen: 4, there: 4, skipped: 0 };
    await vi.waitFor(() => expect(engine.agent('crlf')?.coverage).toMatchObject(whole), PATIENCE);
  });

  it('links that lead in circles, to the file itself, and nowhere', async () => {
    const { engine, workspace } = stage();
    const deep = join(workspace, 'one/two');
    mkdirSync(deep, { recursive: true });
    symlinkSync(workspace, join(deep, 'back'));
    symlinkSync('self.agent.jsonl', join(deep, 'self.agent.jsonl'));
    symlinkSync('/nowhere/at/all', join(deep, 'gone.agent.jsonl'));
    symlinkSync(deep, join(workspace, 'two'));
    writeFileSync(join(deep, 'real.agent.jsonl'), text('real', 2));
    engine.start();
    await vi.waitFor(() => expect(seen(engine, 'real')).toBe(2), PATIENCE);
    expect(engine.agents().length).toBe(1);
  });

  it.skipIf(process.platform === 'win32')(
    'a named pipe with the name of a transcript: it is not opened, and nothing waits for it',
    async () => {
      const { engine, workspace } = stage();
      const pipe = join(workspace, 'pipe.agent.jsonl');
      execFileSync('mkfifo', [pipe]);
      writeFileSync(join(workspace, 'real.agent.jsonl'), text('real', 2));
      engine.start();
      engine.consider({ path: pipe, size: 0, modifiedAt: Date.now(), inode: 0, appeared: true });
      await vi.waitFor(() => expect(seen(engine, 'real')).toBe(2), PATIENCE);
      expect(engine.agents().length).toBe(1);
    },
  );

  it('a transcript that becomes a folder, and a folder that disappears and comes back while it is watched', async () => {
    const { engine, workspace } = stage();
    const folder = join(workspace, 'runs');
    const file = join(folder, 'run.agent.jsonl');
    mkdirSync(folder);
    writeFileSync(file, text('run', 2));
    writeFileSync(join(workspace, 'other.agent.jsonl'), text('other', 2));
    engine.start();
    await vi.waitFor(() => expect([seen(engine, 'run'), seen(engine, 'other')]).toEqual([2, 2]), PATIENCE);
    rmSync(folder, { recursive: true });
    await vi.waitFor(() => expect(engine.agent('run')?.deleted).toBe(true), PATIENCE);
    mkdirSync(folder);
    writeFileSync(file, text('run', 4));
    await vi.waitFor(() => expect(seen(engine, 'run')).toBe(4), PATIENCE);
    const other = join(workspace, 'other.agent.jsonl');
    renameSync(other, join(workspace, 'other.txt'));
    mkdirSync(other);
    await vi.waitFor(() => expect(engine.agent('other')?.coverage.problems.at(-1)?.why).toBe('is a folder'), PATIENCE);
    // No one is asked to make it smaller.
    expect(engine.unreadFiles()).toEqual([]);
    appendFileSync(file, `${genericLines('run', 5).slice(-2).join('\n')}\n`);
    await vi.waitFor(() => expect(seen(engine, 'run')).toBe(5), PATIENCE);
  });
});
