import { describe, expect, it } from 'vitest';
import type { RecoveryProposal } from '../../../../src/recover/act/ports';
import { MESSAGE_KINDS, RECOVERY_ACTIONS } from '../../../../src/core/model';
import { questionBefore } from '../../../../src/editor/recovery/questions';
import { helpedNote, shownHelp, shownProposal } from '../../../../src/editor/recovery/shown';
import { T0, recovered } from '../../history/support/incidents';

describe('the question before a process ends', () => {
  it('is asked for restart and stop, and for nothing that leaves the process running', () => {
    const asks = RECOVERY_ACTIONS.filter((action) => questionBefore(action, 'Codex', { ended: false }) !== null);
    expect(asks).toEqual(['resume', 'fresh', 'next_model', 'top_model', 'stop']);
  });

  it('names the agent and the way, and says that uncommitted work is saved', () => {
    expect(questionBefore('fresh', 'Codex', { ended: false })).toEqual({
      message: 'Restart Codex with a fresh context?',
      detail: 'The running process ends. Uncommitted work is saved first and can be restored with Restore Checkpoint.',
      button: 'Restart',
    });
    const ways = (['resume', 'next_model', 'top_model'] as const).map(
      (action) => questionBefore(action, 'Codex', { ended: false })?.message,
    );
    expect(ways).toEqual([
      'Restart Codex with feedback?',
      'Restart Codex with the next model?',
      'Restart Codex with more thinking?',
    ]);
  });

  it('does not threaten a process that has already ended', () => {
    expect(questionBefore('resume', 'Codex', { ended: true })?.detail).toMatch(/^Its process has ended\. Uncommitted/);
  });

  it('does not claim that a process ends if its state is unknown', () => {
    expect(questionBefore('resume', 'Codex', { ended: false, unknown: true })?.detail).toMatch(
      /^Unstuck cannot tell whether it is still running\. Quit it first/,
    );
  });

  it('promises no checkpoint before a stop', () => {
    expect(questionBefore('stop', 'Codex', { ended: false })).toEqual({
      message: 'Stop Codex?',
      detail: 'The running process ends. Its transcript stays.',
      button: 'Stop',
    });
  });
});

describe('the question before a chat is left', () => {
  it('says that the chat comes to the front', () => {
    const chat = { ended: false, inChat: true };
    expect(questionBefore('fresh', 'VS Code Chat', chat)).toMatchObject({
      message: 'Restart VS Code Chat with a fresh context?',
      detail:
        'Its turn is cancelled, and a new chat comes to the front. Uncommitted work is saved first and can be restored with Restore Checkpoint.',
    });
    expect(questionBefore('stop', 'VS Code Chat', chat)?.detail).toBe(
      'Its chat comes to the front, and its turn is cancelled.',
    );
  });
});

describe('what the panel shows of a proposal', () => {
  const proposal = (automatic: RecoveryProposal['automatic']): RecoveryProposal =>
    ({
      ladder: {
        rows: [
          { number: 2, kind: 'feedback', name: 'Nudge', state: 'done', note: 'nudged 17:09, no change', action: null },
        ],
        current: 1,
        next: 2,
      },
      actions: [
        { action: 'stop', name: 'Stop Agent…', possible: false, text: 'It has ended.', decision: {} },
        { action: 'nudge', name: 'Nudge', possible: true, text: 'It can be nudged.', decision: {} },
        { action: 'split', name: 'Split', possible: true, text: 'A smaller step.', decision: {} },
      ],
      recommended: 'split',
      automatic,
    }) as unknown as RecoveryProposal;
  const off = { on: false, held: false, next: null, text: 'off' };

  it('has the rungs and the ways except the nudge, in the order of the menu', () => {
    expect(shownProposal(proposal(off), undefined)).toEqual({
      rungs: [{ name: 'Nudge', state: 'done', note: 'nudged 17:09, no change', action: null }],
      actions: [
        { action: 'split', name: 'Split', possible: true, text: 'A smaller step.' },
        { action: 'stop', name: 'Stop Agent…', possible: false, text: 'It has ended.' },
      ],
      recommended: { action: 'split', note: '' },
      automatic: null,
    });
  });

  it('counts down only if automatic mode will act', () => {
    const on = { on: true, held: false, next: { rung: 2, at: T0 }, text: 'Next: fresh context.' };
    expect(shownProposal(proposal(on), undefined).automatic).toEqual({ held: false, text: on.text, nextAt: T0 });
    expect(shownProposal(proposal({ ...on, held: true, next: null }), undefined).automatic).toEqual({
      held: true,
      text: on.text,
    });
  });
});

describe('what helped before', () => {
  it('appears next to the recommendation, if the same kind of message was tried', () => {
    const before = { similar: [], tried: [{ kind: 'restart', recovered: { n: 2, of: 3 } }] } as never;
    expect(helpedNote('fresh', before)).toBe('helped 2 of 3');
    expect(helpedNote('nudge', before)).toBe('');
    expect(helpedNote('ask', before)).toBe('');
    expect(helpedNote('fresh', undefined)).toBe('');
  });

  it('is nothing if no earlier incident was like this one', () => {
    expect(shownHelp({ similar: [], tried: [], noted: '' })).toBeUndefined();
  });

  it('has each way by name, with how often it helped, and the newest incidents', () => {
    const similar = Array.from({ length: 25 }, (_, i) => recovered({ id: `I${i}` }));
    const shown = shownHelp({ similar, tried: [{ kind: 'restart', recovered: { n: 2, of: 3 } }] } as never);
    expect(shown?.ways).toEqual([{ name: 'Restart', helped: 2, tried: 3 }]);
    expect([shown?.similar.length, shown?.similar[0], shown?.similar.at(-1)]).toEqual([20, 'I0', 'I19']);
  });

  it('has a different name for each kind of message', () => {
    const tried = MESSAGE_KINDS.map((kind) => ({ kind, recovered: { n: 0, of: 1 } }));
    const names = shownHelp({ similar: [recovered()], tried, noted: '' })?.ways.map(({ name }) => name) ?? [];
    expect(names).toEqual([
      'Nudge',
      'Gate feedback',
      'Reassigning',
      'Checkpoint',
      'Stopping',
      'Restart',
      'Another model',
      'Blocking the call',
    ]);
  });
});
