import { describe, expect, it } from 'vitest';
import { type DeliveryState, type InboxMessage, RECOVERY_ACTIONS } from '../../../../../src/core/model';
import {
  ACTION_NAMES,
  HINDRANCE_CLAUSES,
  HINDRANCE_TEXTS,
  type MessageHindrance,
  type Reach,
  deliveryInShort,
  deliveryLine,
  nudgeQueued,
  queuedStep,
  tooLate,
  plain,
  arrivalOf,
  reachSentence,
  sendName,
} from '../../../../../src/core/words';

const NOW = Date.UTC(2026, 10, 20, 17, 10, 20);

describe('a message on its way', () => {
  const facts = { watched: 9, connected: true, agentName: 'codex', expiry: 600_000 } as const;
  const line = (state: DeliveryState, more: Partial<Parameters<typeof deliveryLine>[0]> = {}) => {
    const { dots, actions } = deliveryLine({ ...facts, state, times: {}, ...more });
    return [...dots.map(({ done, name, note }) => `${done ? '●' : '○'} ${name} ${note}`.trim()), ...actions];
  };
  const short = (state: DeliveryState, more: Partial<Parameters<typeof deliveryLine>[0]> = {}) =>
    deliveryInShort({ ...facts, state, times: {}, ...more });

  it('never counts more calls than are watched', () => {
    expect(line('taken')).toEqual(['● Queued', '● Taken', '○ Acted watching, 5 of 5 calls']);
  });

  it('that shows in the transcript was taken, no matter by whom', () => {
    expect(line('seen', { times: { seen: NOW } })[1]).toBe('● Taken 17:10:20, seen in its transcript');
  });

  it('that failed says why, and is offered again', () => {
    expect(line('failed')).toEqual([
      '● Queued',
      '○ Not delivered taken, but missing from the transcript',
      'send_again',
    ]);
    expect(line('failed', { reason: 'the hook broke', kind: 'gate' })).toEqual([
      '● Queued',
      '○ Not delivered the hook broke',
    ]);
  });

  it('that was acted on or withdrawn says no more than is known', () => {
    expect(line('acted', { times: { acted: NOW } })[2]).toBe('● Acted 17:10:20');
    expect(line('withdrawn', { times: { withdrawn: NOW } })).toEqual(['● Queued', '○ Withdrawn 17:10:20']);
    expect(line('queued', { kind: 'escalate' })[1]).toBe('○ Taken by its supervisor');
  });

  it('appears in short in a row of a tree', () => {
    expect(short('queued', { times: { queued: NOW } })).toBe('queued 17:10');
    expect(short('queued', { connected: false })).toBe('not delivered');
    expect(short('taken', { times: { taken: NOW } })).toBe('taken 17:10');
    expect(short('seen', { times: { seen: NOW } })).toBe('taken 17:10');
    expect(short('acted', { times: { acted: NOW } })).toBe('acted 17:10');
    expect(short('acted', { times: { acted: NOW }, outcome: 'changed' })).toBe('acted 17:10, changed');
    expect(short('failed')).toBe('not delivered');
    expect(short('expired', { times: { expired: NOW } })).toBe('expired 17:10');
    expect(short('withdrawn', { times: { withdrawn: NOW } })).toBe('withdrawn 17:10');
    expect(short('withdrawn')).toBe('withdrawn');
  });
});

describe('how a message would arrive', () => {
  const sentence = (reach: Reach) => plain(reachSentence(reach, NOW));

  it('is shown before it is sent', () => {
    expect(sentence({ kind: 'not_connected', canConnect: true })).toBe(
      'This agent is not connected. Unstuck asks to connect it first.',
    );
    expect(sentence({ kind: 'not_connected', canConnect: false })).toBe(
      'Unstuck cannot connect to this agent. The message stays in its inbox.',
    );
    expect(sentence({ kind: 'waits_for_trust', step: 'Trust it in Codex.' })).toBe(
      'Set up, waiting for you to trust the hook. Trust it in Codex.',
    );
    expect(sentence({ kind: 'not_loaded' })).toBe(
      'This session started before you connected. End and resume it to receive messages.',
    );
    expect(sentence({ kind: 'wakes' })).toBe('Wakes the agent at once and starts a new turn.');
    expect(sentence({ kind: 'next_prompt' })).toBe('Its turn has ended. The message arrives with your next prompt.');
    expect(sentence({ kind: 'hanging' })).toBe(
      'The agent cannot be reached while its request hangs. Only a restart reaches it.',
    );
    expect(sentence({ kind: 'next_call' })).toBe(
      'Arrives at the agent’s next tool call, usually within 20 s. It does not interrupt a running command.',
    );
    expect(sentence({ kind: 'long_call', call: 'make', since: NOW - 60_000 })).toBe(
      'The agent has been running make for 1 min. The message waits until that ends.',
    );
  });

  it('says that it may not be written, with the reason', () => {
    const reasons: readonly MessageHindrance[] = [
      'untrusted',
      'no_folder',
      'finished',
      'waits_for_permission',
      'waits_for_answer',
    ];
    expect(reasons.map((why) => [sentence({ kind: 'hindered', why }), HINDRANCE_CLAUSES[why]])).toEqual([
      ['Nudges are off until you trust this folder.', 'the folder is not trusted'],
      ['The agent works in a folder that is not open here.', 'the agent works in a folder that is not open here'],
      ['The session has ended and can no longer receive messages.', 'the agent has ended'],
      [
        'The agent needs your permission. Answer it first: a nudge could be taken as a yes.',
        'the agent needs your permission',
      ],
      [
        'The agent is asking a question. Answer it first: a nudge could be taken as the answer.',
        'the agent is asking a question',
      ],
    ]);
    expect(HINDRANCE_TEXTS.finished).toBe('The session has ended and can no longer receive messages.');
  });
});

describe('what can be done', () => {
  it('has a name for each way', () => {
    expect(RECOVERY_ACTIONS.map((action) => ACTION_NAMES[action])).toEqual([
      'Nudge',
      'Suggest a Smaller Step',
      'Restart with Feedback',
      'Restart with Fresh Context',
      'Restart with Next Model',
      'Restart with More Thinking',
      'Fork with Feedback',
      'Reassign to Another Agent…',
      'Stop Agent…',
      'Save Checkpoint',
      'Block This Call Once',
      'I’ll Take Over',
    ]);
  });
});

describe('the way of a message', () => {
  it('is the same in the box, in its button and on its line', () => {
    const ways: readonly [Reach, string, string][] = [
      [{ kind: 'next_call' }, 'Send Nudge', 'at the next tool call'],
      [{ kind: 'wakes' }, 'Send Nudge', 'at once'],
      [{ kind: 'next_prompt' }, 'Send Nudge', 'with your next prompt'],
      [{ kind: 'waits_for_trust', step: 'Trust it.' }, 'Send Nudge', 'once you trust the hook'],
      [{ kind: 'not_connected', canConnect: true }, 'Connect and Nudge', 'the agent is not connected'],
      [{ kind: 'not_connected', canConnect: false }, 'Send Nudge', 'the agent is not connected'],
      [{ kind: 'hindered', why: 'waits_for_permission' }, 'Send Nudge', 'not while the agent needs your permission'],
    ];
    for (const [reach, button, arrival] of ways)
      expect([sendName(reach, false), arrivalOf(reach)]).toEqual([button, arrival]);
  });
});

describe('a nudge that was sent at once', () => {
  it('is named after its agent and by its step', () => {
    const text =
      'Unstuck, an automated watcher, wrote this; a person sent it.\n\nRead the result line by line.\n\nMore.';
    expect(nudgeQueued('Fix the build')).toBe('Nudge queued for “Fix the build”');
    expect(queuedStep(text, '')).toBe('Read the result line by line.');
    expect(queuedStep('Look', 'It is in make.')).toBe('Look. It is in make.');
    expect(queuedStep(`a\n\n${'word '.repeat(40)}`, '').length).toBeLessThan(85);
  });

  it('is undone in time, or the reason it is too late is shown', () => {
    const message = { id: 'M' } as InboxMessage;
    expect(tooLate('Codex', { message, state: 'seen', times: { taken: 7_000 } }, 10_000)).toBe(
      'Too late to undo: delivered just now.',
    );
    expect(tooLate('Codex', undefined, 10_000)).toBe('Too late to undo: Codex already has it.');
    expect(tooLate('Codex', { message, state: 'expired', times: {} }, 10_000)).toMatch(/^It has already expired/);
  });
});
