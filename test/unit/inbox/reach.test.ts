import { describe, expect, it } from 'vitest';
import { type BridgeAbilities, reach, type Situation } from '../../../src/inbox';

const NOW = Date.parse('2026-11-20T17:06:00Z');
const working: Situation = {
  trusted: true,
  connected: true,
  connectedAt: NOW - 3_600_000,
  state: { kind: 'working', since: NOW - 60_000 },
  mode: 'interactive',
  startedAt: NOW - 600_000,
  now: NOW,
  expiresAt: NOW + 600_000,
};

const wakes: BridgeAbilities = {
  wakesIdle: true,
  joinsRunning: true,
  kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
};
/** As Codex: its hooks are read when a session begins, and no hook ends a turn. */
const sleeps: BridgeAbilities = { wakesIdle: false, joinsRunning: false, kinds: ['nudge', 'block'] };

const text = (more: Partial<Situation>): string => reach({ ...working, ...more }, wakes).text;

describe('how a message arrives', () => {
  it('is said in the words of the design', () => {
    expect(text({})).toBe(
      'Arrives at the agent’s next tool call, usually within 20 s. It does not interrupt a running command.',
    );
    expect(text({ doing: { kind: 'tool', subject: 'npm run build', since: NOW - 7 * 60_000 } })).toBe(
      'The agent is in `npm run build` since 7 min. The message waits until it ends, at most until 17:16.',
    );
    expect(text({ state: { kind: 'waiting', since: NOW, waitingFor: 'turn_end' } })).toBe(
      'Wakes the agent at once and starts a new turn.',
    );
    expect(text({ state: { kind: 'waiting', since: NOW, waitingFor: 'permission' } })).toBe(
      'The agent asks for permission. Answer it first; a nudge could be read as consent.',
    );
    expect(text({ state: { kind: 'stalled', since: NOW }, doing: { kind: 'model', subject: '', since: NOW } })).toBe(
      'The agent cannot be reached while its request hangs. Restart reaches it.',
    );
    expect(text({ connected: false })).toBe('Written to the inbox, but nothing delivers it yet.');
    expect(text({ trusted: false })).toBe('Nudges are off until you trust this folder.');
  });

  it('switches the button off where a message would do harm or reach nobody', () => {
    const possible = (more: Partial<Situation>): boolean => reach({ ...working, ...more }, wakes).possible;
    expect(possible({})).toBe(true);
    expect(possible({ connected: false })).toBe(true);
    expect(possible({ trusted: false })).toBe(false);
    expect(possible({ state: { kind: 'finished', since: NOW, ended: 'clean' } })).toBe(false);
    expect(possible({ state: { kind: 'waiting', since: NOW, waitingFor: 'permission' } })).toBe(false);
    expect(possible({ state: { kind: 'waiting', since: NOW, waitingFor: 'question' } })).toBe(false);
  });

  it('does not promise to wake a session that began before Connect, or an agent that cannot be woken', () => {
    const idle = { state: { kind: 'waiting', since: NOW, waitingFor: 'turn_end' } } as const;
    expect(text({ ...idle, startedAt: NOW - 7_200_000 })).toBe(
      'This session began before Connect, so it cannot be woken. The message arrives with your next prompt.',
    );
    expect(text({ ...idle, mode: 'print' })).toBe('Its turn has ended. The message arrives with your next prompt.');
    expect(reach({ ...working, ...idle }, sleeps).how).toBe('next_prompt');
  });

  it('says where a session began too early to have the hook, and what a message cannot do', () => {
    const early = reach({ ...working, startedAt: NOW - 7_200_000 }, sleeps);
    expect([early.how, early.action]).toEqual(['not_loaded', 'restart']);
    expect(early.text).toBe('This session began before Connect: it takes messages only once it was ended and resumed.');
    expect(reach({ ...working, startedAt: NOW - 7_200_000 }, wakes).how).toBe('tool_call');
    const stop = reach({ ...working, kind: 'stop' }, sleeps);
    expect([stop.possible, stop.text]).toEqual([
      false,
      'This agent cannot be stopped by a message. Interrupt it in its terminal, or restart it.',
    ]);
    expect(reach({ ...working, kind: 'stop' }, wakes).possible).toBe(true);
  });
});
