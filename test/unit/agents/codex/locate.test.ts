import { describe, expect, it } from 'vitest';
import { codex } from '../../../../src/agents/codex/adapter';
import type { LivenessProbe } from '../../../../src/agents/transcripts';

const linux = { home: '/home/u', env: {}, platform: 'linux' as const };
const meta = `{"timestamp":"2026-11-20T19:01:18.244Z","ordinal":0,"type":"session_meta","payload":{"id":"t1","cwd":"/p \\"q\\"","parent_thread_id":"t0","base_instructions":{"text":"${'x'.repeat(100)}"}}}`;

describe('where threads are', () => {
  it('is under CODEX_HOME, by day', () => {
    const [root] = codex.locate({ ...linux, env: { CODEX_HOME: '/c' } });
    expect(root).toMatchObject({ path: '/c/sessions', depth: 3 });
    expect(root?.matches('2026/11/20/rollout-2026-11-20T19-01-18-abc.jsonl')).toBe(true);
    expect(root?.matches('2026/11/20/notes.jsonl')).toBe(false);
    expect(codex.locate(linux)[0]?.path).toBe('/home/u/.codex/sessions');
  });

  it('is known from the first line, even if that is longer than the head', () => {
    expect(codex.recognises(meta, '/x/a.jsonl')).toBe('yes');
    expect(codex.peek(meta, '/x/a.jsonl')).toEqual({ session: 't1', cwd: '/p "q"', parent: 't0' });
    expect(codex.peek(meta.slice(0, -20), '/x/a.jsonl')).toEqual({ session: 't1', cwd: '/p "q"', parent: 't0' });
    expect(codex.recognises('{"type":"user","uuid":"1"}', '/x/a.jsonl')).toBe('no');
    expect(codex.recognises('', '/x/rollout-1.jsonl')).toBe('no');
  });

  it('is in the name of the file until the file names the thread', () => {
    const id = '01a1fa55-a104-7c31-a53e-4521827405f9';
    expect(codex.peek('', `/x/rollout-2026-11-20T19-01-18-${id}.jsonl`).session).toBe(id);
  });
});

describe('whether a thread lives', () => {
  const probe = (
    files: Record<string, readonly string[]>,
    names: Record<string, string>,
    start: string | null = '100',
  ): LivenessProbe => ({
    list: (folder) => files[folder] ?? [],
    read: (path) => names[path],
    processStart: () => start,
  });
  const lock = { '/home/u/.codex/thread-writer-locks': ['t1-0000-0000.lock', 'x'], '/proc': ['1', 'self', '42'] };

  it('is not shown by a lock without any Codex process, which was left behind', () => {
    const lives = (name: string) => codex.liveness?.(linux, probe(lock, { '/proc/42/comm': name }));
    expect(lives('codex\n')?.get('t1-0000-0000')).toEqual({ alive: true, pid: 42 });
    expect(lives('bash\n')?.get('t1-0000-0000')).toEqual({ alive: false });
  });

  it('is not shown by a Codex process that has ended but was not waited for', () => {
    const lives = codex.liveness?.(linux, probe(lock, { '/proc/42/comm': 'codex\n' }, null));
    expect(lives?.get('t1-0000-0000')).toEqual({ alive: false });
  });

  it('is unknown if processes cannot be listed', () => {
    expect(codex.liveness?.({ ...linux, platform: 'darwin' }, probe(lock, {}))?.size).toBe(0);
    expect(codex.liveness?.(linux, probe({ ...lock, '/proc': [] }, {}))?.size).toBe(0);
  });
});
