import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import { resolveOptions } from '../../../../src/detect/session/options';
import { scanFile } from '../../../../src/engine/scan-cache';
import { Replay, SCENARIOS } from '../../../../src/editor/replay';

const folder = mkdtempSync(join(tmpdir(), 'unstuck-replay-'));
afterEach(() => rmSync(join(folder, 't.jsonl'), { force: true }));

/** Plays a scenario without waiting. `answerAt`: the batch after which the hook hands over a nudge; `refuseAt`: the call that it refuses. */
async function play(name: string, answerAt: number, { refuseAt = 0, most = 40 } = {}) {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (!scenario) throw new Error(name);
  const waiting: (() => void)[] = [];
  let written = '';
  let time = Date.parse('2026-11-20T12:00:00Z');
  let batches = 0;
  let calls = 0;
  let ended: string | null = null;
  const replay = new Replay(
    {
      now: () => (time += 1_000),
      after: (_ms, run) => {
        waiting.push(run);
        return { dispose: () => void waiting.splice(0) };
      },
      append: async (_session, lines) => void (written += lines),
      hook: async (_session, event, payload) => {
        expect(payload).toMatchObject({ hook_event_name: event, cwd: '/home/me/project' });
        if (event === 'PreToolUse') {
          if (++calls !== refuseAt) return '';
          const permissionDecisionReason = 'This call is refused once. [unstuck 01JD0000000000000000000000]';
          return JSON.stringify({
            hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason },
          });
        }
        batches++;
        if (batches !== answerAt) return '';
        const additionalContext = 'Look at the test. [unstuck 01JD0000000000000000000000]';
        return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } });
      },
    },
    {
      scenario,
      recording: readFileSync(resolve(__dirname, '../../../../media/demo', scenario.recording), 'utf8'),
      session: '99999999-0000-4000-8000-000000000001',
      folder: '/home/me/project',
      speed: 1,
      onEnd: (how) => void (ended = how),
    },
  );
  await replay.start();
  for (let turn = 0; turn < most && waiting.length > 0; turn++) {
    waiting.shift()?.();
    await new Promise((done) => setImmediate(done));
  }
  const file = join(folder, 't.jsonl');
  writeFileSync(file, written);
  const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} });
  const { sessions } = await scanFile(file, { adapter: claudeCode, detectors, readSmall: () => undefined });
  return { session: sessions[0], ended, written };
}

describe('a replayed run', () => {
  it('loops until it is nudged', async () => {
    const { session, ended } = await play('interleaved', 0);
    expect(ended).toBeNull();
    expect(session?.state.kind).toBe('stuck');
    expect(session?.actions).toBe(session?.callMarkers);
    expect(session?.incidents.map((incident) => incident.detector)).toContain('action_error_alternation');
  });

  it.each(['interleaved', 'same-command'])('%s: takes the nudge, changes course, and ends on its own', async (name) => {
    const { session, ended } = await play(name, 9);
    expect(ended).toBe('recovered');
    expect(session?.state).toMatchObject({ kind: 'finished', ended: 'clean' });
    expect(session?.incidents[0]).toMatchObject({ level: 'stuck', state: 'recovered' });
  });

  it.each(['interleaved', 'same-command'])(
    '%s: is refused a call, reads why as its result, changes course, and ends on its own',
    async (name) => {
      const { session, ended, written } = await play(name, 0, { refuseAt: 9 });
      expect(ended).toBe('recovered');
      expect(written).toContain('hook error: This call is refused once.');
      expect(session?.state).toMatchObject({ kind: 'finished', ended: 'clean' });
      expect(session?.incidents[0]).toMatchObject({ level: 'stuck', state: 'recovered' });
      expect(session?.actions).toBe(session?.callMarkers);
    },
  );

  it('raises nothing and ends if it is the healthy one', async () => {
    const { session, ended } = await play('healthy', 0);
    expect(ended).toBe('ended');
    expect(session?.incidents).toEqual([]);
    expect(session?.state).toMatchObject({ kind: 'finished', ended: 'clean' });
  });

  it('appears to work in the given folder, now', async () => {
    const { written } = await play('healthy', 0);
    expect(written).not.toContain('/home/dev/project');
    expect(written).toContain('/home/me/project');
    expect(written).not.toContain('2026-11-20T18');
  });
});
