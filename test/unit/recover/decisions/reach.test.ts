import { describe, expect, it } from 'vitest';
import { type ReachSituation, messageHindrance, proofOf, reachOf } from '../../../../src/recover/decisions/reach';
import { MINUTE } from '../../history/support/incidents';
import { NOW, situation } from '../kit';

const HOUR = 60 * MINUTE;
const ROUTE = {
  connected: true,
  connectedAt: NOW - HOUR,
  canConnect: true,
  wakesIdle: true,
  joinsRunning: true,
  proof: 'proven',
} as const;
/** Like Codex: it reads its hooks when a session begins, and no hook ends a turn. */
const SLEEPS = { ...ROUTE, wakesIdle: false, joinsRunning: false };
const BEFORE_CONNECT = NOW - 2 * HOUR;

function reach(changes: Partial<ReachSituation> = {}, agent: Parameters<typeof situation>[0] = {}) {
  return reachOf({
    agent: situation({ state: { kind: 'working', since: NOW - MINUTE }, ...agent }),
    route: ROUTE,
    mode: 'interactive',
    startedAt: NOW - 10 * MINUTE,
    expiresAt: NOW + 10 * MINUTE,
    now: NOW,
    ...changes,
  });
}

describe('no message is written', () => {
  it('while the folder is not trusted, or no open folder holds the inbox', () => {
    expect(messageHindrance(situation({ trusted: false, inFolder: false }))).toBe('untrusted');
    expect(messageHindrance(situation({ inFolder: false }))).toBe('no_folder');
  });

  it('once the session has ended, even if only the process is known to be gone', () => {
    expect(messageHindrance(situation({ state: { kind: 'finished', since: NOW, ended: 'clean' } }))).toBe('finished');
    expect(messageHindrance(situation({ liveness: 'gone' }))).toBe('finished');
    expect(messageHindrance(situation({ liveness: 'unknown' }))).toBeNull();
  });

  it('while the agent asks its user: a question is distinguished from a permission', () => {
    expect(messageHindrance(situation({ waitingFor: 'permission' }))).toBe('waits_for_permission');
    expect(messageHindrance(situation({ waitingFor: 'plan' }))).toBe('waits_for_approval');
    expect(messageHindrance(situation({ waitingFor: 'question' }))).toBe('waits_for_answer');
    expect(messageHindrance(situation({ waitingFor: 'turn_end' }))).toBeNull();
  });

  it('and the panel says the same about a connected agent', () => {
    expect(reach({}, { waitingFor: 'question' })).toEqual({ kind: 'hindered', why: 'waits_for_answer' });
  });
});

describe('a message that may be written', () => {
  it('arrives at the next tool call of a working agent', () => {
    expect(reach()).toEqual({ kind: 'next_call' });
  });

  it('is not promised if the agent does not answer: three calls, and none of them called us', () => {
    expect([0, 2, 3].map((calls) => proofOf(false, calls))).toEqual(['waiting', 'waiting', 'silent']);
    expect(proofOf(true, 50)).toBe('proven');
    expect(reach({ route: { ...ROUTE, proof: 'silent' } })).toEqual({ kind: 'silent' });
    expect(reach({ route: { ...ROUTE, proof: 'waiting' } })).toEqual({ kind: 'next_call' });
    // It is not expected to answer.
    const old = { ...SLEEPS, proof: 'silent' } as const;
    expect(reach({ route: old, startedAt: BEFORE_CONNECT })).toEqual({ kind: 'not_loaded' });
  });

  it('has to be connected first, if that is possible', () => {
    const off = { ...SLEEPS, connected: false };
    expect(reach({ route: off })).toEqual({ kind: 'not_connected', canConnect: true });
    expect(reach({ route: { ...off, canConnect: false } })).toEqual({ kind: 'not_connected', canConnect: false });
  });

  it('waits for the person to trust the hook if all else is set up: that is not the same as not connected', () => {
    const trustStep = 'Choose “Trust all and continue” in Codex.';
    expect(reach({ route: { ...SLEEPS, connected: false, trustStep } })).toEqual({
      kind: 'waits_for_trust',
      step: trustStep,
    });
  });

  it('waits for a call that has run for a minute, at most until it expires', () => {
    const call = (ms: number) => ({ kind: 'tool', subject: 'npm run build', since: NOW - ms }) as const;
    expect(reach({ doing: call(MINUTE) })).toEqual({
      kind: 'long_call',
      call: 'npm run build',
      since: NOW - MINUTE,
      until: NOW + 10 * MINUTE,
    });
    expect(reach({ doing: call(MINUTE - 1) })).toEqual({ kind: 'next_call' });
  });

  it('cannot reach an agent whose request hangs', () => {
    const doing = { kind: 'model', subject: '', since: NOW - HOUR } as const;
    expect(reach({ doing }, { state: { kind: 'stalled', since: NOW } })).toEqual({ kind: 'hanging' });
    expect(reach({ doing })).toEqual({ kind: 'next_call' });
    expect(reach({}, { state: { kind: 'stalled', since: NOW } })).toEqual({ kind: 'next_call' });
  });

  it('wakes an agent whose turn has ended, even one that is stuck', () => {
    expect(reach({}, { waitingFor: 'turn_end' })).toEqual({ kind: 'wakes' });
    expect(reach({}, { state: { kind: 'stuck', since: NOW }, waitingFor: 'turn_end' })).toEqual({ kind: 'wakes' });
  });

  it('waits for the next prompt if the agent cannot be woken', () => {
    const idle = { waitingFor: 'turn_end' } as const;
    expect(reach({ route: SLEEPS }, idle)).toEqual({ kind: 'next_prompt' });
    expect(reach({ mode: 'print' }, idle)).toEqual({ kind: 'next_prompt' });
    // Claude Code in a panel of VS Code.
    expect(reach({ mode: 'panel' }, idle)).toEqual({ kind: 'next_prompt' });
    expect(reach({ startedAt: BEFORE_CONNECT }, idle)).toEqual({ kind: 'next_prompt' });
  });

  it('is not taken by a session that began before Connect, if the agent reads its hooks only then', () => {
    expect(reach({ route: SLEEPS, startedAt: BEFORE_CONNECT })).toEqual({ kind: 'not_loaded' });
    expect(reach({ startedAt: BEFORE_CONNECT })).toEqual({ kind: 'next_call' });
    expect(reach({ route: SLEEPS, startedAt: NOW - HOUR })).toEqual({ kind: 'next_call' });
    expect(reach({ route: SLEEPS, startedAt: null })).toEqual({ kind: 'next_call' });
    expect(reach({ route: { ...SLEEPS, connectedAt: null }, startedAt: BEFORE_CONNECT })).toEqual({
      kind: 'next_call',
    });
  });
});

describe('a session of the chat of this window', () => {
  const CHAT = { ...ROUTE, wakesIdle: false, chat: true } as const;

  it('is reached through the chat if nothing is connected, or nothing answers', () => {
    expect(reach({ route: { ...CHAT, connected: false } })).toEqual({ kind: 'chat', runs: true });
    expect(reach({ route: { ...CHAT, proof: 'silent' } })).toEqual({ kind: 'chat', runs: true });
    expect(reach({ route: CHAT })).toEqual({ kind: 'next_call' });
  });

  it('is reached through the chat at its prompt, if no hook can wake it', () => {
    expect(reach({ route: CHAT }, { waitingFor: 'turn_end' })).toEqual({ kind: 'chat', runs: false });
  });

  it('is not reached while it asks', () => {
    expect(reach({ route: CHAT }, { waitingFor: 'permission' })).toEqual({
      kind: 'hindered',
      why: 'waits_for_permission',
    });
  });
});
