import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../src/core/model';
import { draftContinue } from '../../../../src/recover/drafts/continue';

const waiting = (more: Partial<AgentState>): AgentState => ({ kind: 'waiting', since: 0, ...more });
const paragraphsOf = (more: Partial<AgentState>) => draftContinue(waiting(more)).split('\n\n');

describe('the message that makes an agent continue', () => {
  it('says first who wrote it, and last that it may be ignored', () => {
    const all = paragraphsOf({ waitingFor: 'limit', until: 0 });
    expect(all).toEqual([
      'Unstuck, an automated watcher, wrote this; a person sent it.',
      'The usage limit that stopped you has ended. Continue with the task where you left off.',
      'If you are working on it already, ignore this.',
    ]);
  });

  it('quotes the error in a fence: its words come from the service', () => {
    const all = paragraphsOf({ waitingFor: 'error', error: '529 Overloaded' });
    expect(all[2]).toMatch(/^The error was:\n`{3,}\n529 Overloaded\n`{3,}$/);
  });

  it('says what ended and how', () => {
    const endedAt = new Date(2026, 2, 2, 9, 5).getTime();
    const missed = { kind: 'command', subject: 'npm run build', endedAt } as const;
    const how = (more: object) => paragraphsOf({ waitingFor: 'missed_notice', missed: { ...missed, ...more } });
    expect(how({ exitCode: 1 })[1]).toBe(
      'The background command that you started failed with exit code 1 at 09:05. Look at its output, then continue with the task.',
    );
    expect(how({ exitCode: 1 })[2]).toMatch(/^`{3,}\nnpm run build\n`{3,}$/);
    expect(how({})[1]).toMatch(/^The background command that you started ended at 09:05\./);
    expect(how({ lastLine: '3 errors' })[3]).toMatch(/^Its last line was:\n`{3,}\n3 errors\n`{3,}$/);
    expect(how({ kind: 'sub_agent' })[1]).toMatch(/^The sub-agent that you started ended at 09:05\./);
    expect(paragraphsOf({ waitingFor: 'missed_notice' })[1]).toMatch(/^Something that you started in the background/);
  });

  it('is empty if nothing stopped it', () => {
    for (const waitingFor of ['permission', 'question', 'plan', 'turn_end'] as const)
      expect(draftContinue(waiting({ waitingFor }))).toBe('');
    expect(draftContinue({ kind: 'working', since: 0 })).toBe('');
  });
});
