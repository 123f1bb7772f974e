import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  armFolder,
  disarmFolder,
  type GateFileState,
  inboxFolder,
  removeGateFile,
  sendMessage,
  writeGateFile,
} from '../../../../../src/agents/inbox';
import { waitForGates } from '../../../../../src/agents/inbox/hook/gate-wait';
import { callHook, callHookLater, hookLog, filesIn, payload, scratch, type Stage, stage } from '../hook-kit';
import { NOW, SESSION, workspace } from '../inbox-kit';

describe('the wait for the gates', () => {
  let place: { root: string; remove: () => void };
  let now: number;
  beforeEach(() => {
    place = workspace();
    now = NOW;
  });
  afterEach(() => place.remove());

  const write = (state: GateFileState, at: number, more: { until?: number; pid?: number } = {}) =>
    writeGateFile(place.root, {
      v: 1,
      session: SESSION,
      state,
      at,
      until: NOW + 60_000,
      wait: 120_000,
      pid: 1,
      ...more,
    });
  /** `then`: what happens at each check, after which half a second has passed. */
  const wait = (then: (look: number) => unknown = () => undefined, isAlive = true) => {
    let look = 0;
    return waitForGates({
      root: place.root,
      session: SESSION,
      calledAt: NOW,
      now: () => now,
      isAlive: () => isAlive,
      pause: async () => {
        now += 500;
        await then(++look);
      },
    });
  };

  it('is skipped if no window gives verdicts', async () => {
    expect(await wait()).toBe('no_gates');
    expect(now).toBe(NOW);
  });

  it('is two seconds for a session that begins in a folder whose claims are judged', async () => {
    await armFolder(place.root, 1, () => true);
    expect([await wait(), now - NOW]).toEqual(['no_gates', 2_000]);
    now = NOW;
    expect([await wait(() => undefined, false), now - NOW]).toEqual(['no_gates', 0]);
    disarmFolder(place.root, 1);
    expect([await wait(), now - NOW]).toEqual(['no_gates', 0]);
  });

  it('continues if the window sees the session meanwhile', async () => {
    await armFolder(place.root, 1, () => true);
    const verdict = await wait((look) =>
      look === 2 ? write('armed', now) : look === 4 ? write('running', now) : look === 6 ? write('failed', now) : null,
    );
    expect([verdict, now - NOW]).toEqual(['verdict', 3_000]);
  });

  it('lasts until the verdict', async () => {
    await write('armed', NOW - 60_000);
    const verdict = await wait((look) =>
      look === 2 ? write('running', now) : look === 9 ? write('failed', now) : null,
    );
    expect([verdict, now - NOW]).toEqual(['verdict', 4_500]);
  });

  it('ends when the gates do not begin, when the window is gone, and when there is no time left', async () => {
    await write('armed', NOW - 60_000);
    expect([await wait(), now - NOW]).toEqual(['no_verdict', 5_000]);
    now = NOW;
    await write('running', NOW);
    expect([await wait(() => undefined, false), now - NOW]).toEqual(['gone', 0]);
    await write('running', NOW, { until: NOW + 3_000 });
    expect([await wait(), now - NOW]).toEqual(['too_late', 3_000]);
  });

  it('is short if the last verdict is about an earlier claim', async () => {
    await write('passed', NOW - 600_000);
    expect([await wait(), now - NOW]).toEqual(['no_verdict', 1_500]);
  });

  //  verdict      claim     + 1.5 s
  //  |- 2 s ------|---------|
  //  counts from 2 s before the claim; an older one is waited for 1.5 s
  it.each([
    ['passed', -2_000, 'verdict', 0],
    ['failed', -2_000, 'verdict', 0],
    ['failed', -2_001, 'no_verdict', 1_500],
    ['none', -2_000, 'no_verdict', 0],
    ['none', -2_001, 'no_verdict', 1_500],
  ] as const)('%s, written %i ms beside the claim, ends it with %s after %i ms', async (state, at, end, after) => {
    await write(state, NOW + at);
    expect([await wait(), now - NOW]).toEqual([end, after]);
  });

  it('is never longer than the file allows, whatever the gates do', async () => {
    await write('running', NOW, { until: NOW + 600_000 });
    expect([await wait(), now - NOW]).toEqual(['too_late', 120_000]);
  });

  it('is skipped for a file that says nothing, is a link, or belongs to another session', async () => {
    const path = join(inboxFolder(place.root, SESSION).path, 'gate.json');
    await write('running', NOW);
    for (const text of ['', '{', '[]', '{"v":2}', JSON.stringify({ v: 1, session: 'x', state: 'running' })]) {
      writeFileSync(path, text);
      expect(await wait()).toBe('no_gates');
    }
    removeGateFile(place.root, SESSION, 1);
    mkdirSync(join(place.root, 'else'));
    writeFileSync(join(place.root, 'else/gate.json'), '{}');
    writeFileSync(path, '');
    await write('running', NOW, { pid: 7 });
    removeGateFile(place.root, SESSION, 8);
    expect(await wait(() => write('none', now))).toBe('no_verdict');
    removeGateFile(place.root, SESSION, 7);
    expect(await wait()).toBe('no_verdict');
    removeGateFile(place.root, SESSION, 1);
    symlinkSync(join(place.root, 'else/gate.json'), path);
    expect(await wait()).toBe('no_gates');
  });
});

describe('the end hook of Claude Code', () => {
  let place: { path: string; remove: () => void };
  let at: Stage;
  beforeEach(async () => {
    place = scratch();
    at = await stage(place.path);
  });
  afterEach(() => place.remove());

  const say = (state: GateFileState, more: { pid?: number; until?: number } = {}) => {
    const time = Date.now();
    const base = { v: 1 as const, session: at.session, wait: 20_000, pid: process.pid };
    return writeGateFile(at.project, { ...base, state, at: time, until: time + 20_000, ...more });
  };
  const tell = () =>
    sendMessage(
      at.project,
      {
        session: at.session,
        agent: 'claude-code',
        kind: 'gate',
        text: '## Completion Blocked: tests failed',
        automated: true,
      },
      Date.now(),
    );

  it('waits in print mode, and delivers what failed', async () => {
    await say('running');
    const answered = callHookLater(at, 'Stop');
    await new Promise((later) => setTimeout(later, 300));
    await tell();
    await say('failed');
    const { code, stdout } = await answered;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('Completion Blocked'),
    });
    expect(filesIn(at, 'new')).toEqual([]);
  });

  it('lets the agent end if the gates are green, without a verdict, and when the window is gone', async () => {
    await say('passed');
    expect(callHook(at, 'Stop')).toEqual({ code: 0, stdout: '', stderr: '' });
    await say('none');
    expect(callHook(at, 'Stop').stdout).toBe('');
    await say('running', { pid: 2 ** 22 + 12_345 });
    expect(callHook(at, 'Stop').stdout).toBe('');
    expect(hookLog(at)).toContain('no verdict of the quality gates: gone');
  });

  it('blocks again, though it blocked before, and delivers a nudge there, too', async () => {
    await tell();
    const again = callHook(at, 'Stop', { payload: payload(at, 'Stop', { stop_hook_active: true }) });
    expect(again.stdout).toContain('"decision":"block"');
    const nudge = { session: at.session, agent: 'claude-code', kind: 'nudge', text: 'Look.', automated: true } as const;
    await sendMessage(at.project, nudge, Date.now());
    const held = { payload: payload(at, 'Stop', { stop_hook_active: true }) };
    expect(callHook(at, 'Stop', held).stdout).toContain('Look. [unstuck ');
    expect(callHook(at, 'Stop', held).stdout).toBe('');
  });

  it('returns at once in an interactive session: there the verdict comes as a message', async () => {
    await say('running');
    const began = Date.now();
    expect(callHook(at, 'Stop', { env: { CLAUDE_CODE_ENTRYPOINT: 'cli' } }).stdout).toBe('');
    expect(Date.now() - began).toBeLessThan(1_500);
  });
});
