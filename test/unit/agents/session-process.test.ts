import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentProcess } from '../../../src/agents/processes';
import { processOfSession, type SoughtSession } from '../../../src/agents/session-process';
import { scratch } from './inbox/hook-kit';

let place: { path: string; remove: () => void };
let session: SoughtSession;
beforeEach(() => {
  place = scratch();
  const file = join(place.path, 'rollout.jsonl');
  writeFileSync(file, '');
  session = { agent: 'codex', file, cwd: place.path, others: [] };
});
afterEach(() => place.remove());

/** A process of an agent, with these files open. */
function process(pid: number, more: Partial<AgentProcess> = {}, open: readonly string[] = []): AgentProcess {
  const folder = join(place.path, 'proc', String(pid), 'fd');
  mkdirSync(folder, { recursive: true });
  for (const [index, file] of open.entries()) symlinkSync(file, join(folder, String(index)));
  return { agent: 'codex', pid, cwd: place.path, startedAt: 1_000, env: {}, ...more };
}

const found = (processes: readonly AgentProcess[], of: Partial<SoughtSession> = {}) =>
  processOfSession({ ...session, ...of }, processes, join(place.path, 'proc'));

describe('the process of a session', () => {
  it('is the one that has its transcript open, whatever else runs in the folder', async () => {
    expect(await found([process(1), process(2, {}, ['/dev/null', session.file])])).toBe(2);
  });

  it('is unknown if two write one transcript', async () => {
    expect(await found([process(1, {}, [session.file]), process(2, {}, [session.file])])).toBeNull();
  });

  it('is the only one of its kind in its folder', async () => {
    const others = [process(1, { agent: 'gemini-cli' }), process(2, { cwd: '/elsewhere' })];
    expect(await found([...others, process(3)])).toBe(3);
    expect(await found(others)).toBeNull();
    expect(await found([process(3), process(4)])).toBeNull();
  });

  it('is unknown if another session of the folder was written since it began: the process may be running that one', async () => {
    expect(await found([process(1)], { others: [999] })).toBe(1);
    expect(await found([process(1)], { others: [999, 1_000] })).toBeNull();
    expect(await found([process(2, { startedAt: null })])).toBeNull();
  });

  it('is not the one that has a database open: all processes of its agent have', async () => {
    const file = join(place.path, 'opencode.db');
    writeFileSync(file, '');
    expect(await found([process(1, { cwd: '/elsewhere' }, [file])], { file })).toBeNull();
  });
});
