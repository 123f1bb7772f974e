import { describe, expect, it } from 'vitest';
import { type ChatSituation, chatHindrance } from '../../../../src/recover/decisions/chat-way';
import { CHAT_HINDRANCE_TEXTS } from '../../../../src/core/words';
import { situation } from '../kit';

const hindrance = (more: Partial<ChatSituation> = {}, agent: Parameters<typeof situation>[0] = {}) =>
  chatHindrance({
    agent: situation({ liveness: 'unknown', ...agent }),
    inThisWindow: true,
    isSubAgent: false,
    version: '1.139.1',
    hasOpenCall: false,
    asksNoPermission: false,
    ...more,
  });

describe('the chat is steered', () => {
  it('between two calls, and at its prompt', () => {
    expect(hindrance()).toBeNull();
    expect(hindrance({}, { waitingFor: 'turn_end' })).toBeNull();
  });

  it('in the middle of a call only if no one is asked for permission: a message would cancel the question', () => {
    expect(hindrance({ hasOpenCall: true })).toBe('may_wait_for_permission');
    expect(hindrance({ hasOpenCall: true, asksNoPermission: true })).toBeNull();
    expect(CHAT_HINDRANCE_TEXTS.may_wait_for_permission).toContain('permission');
  });

  it('never while a question is known to be open, whatever else is known', () => {
    expect(hindrance({ asksNoPermission: true }, { waitingFor: 'permission' })).toBe('waits_for_permission');
    expect(hindrance({ asksNoPermission: true }, { waitingFor: 'question' })).toBe('waits_for_answer');
  });

  it('at its prompt even if an outcome was never reported', () => {
    expect(hindrance({ hasOpenCall: true }, { waitingFor: 'turn_end' })).toBeNull();
  });

  it('only in its own window, and not for a sub-agent, which has no chat', () => {
    expect(hindrance({ inThisWindow: false })).toBe('other_window');
    expect(hindrance({ isSubAgent: true })).toBe('sub_agent');
  });

  it('only by a VS Code that is known to leave a draft alone', () => {
    expect(hindrance({ version: '1.138.9' })).toBe('older_editor');
    expect(hindrance({ version: '1.140.0-insider' })).toBeNull();
    expect(hindrance({ version: '2.0.0' })).toBeNull();
  });

  it('in a trusted folder', () => {
    expect(hindrance({}, { trusted: false })).toBe('untrusted');
  });
});
