import { expect, test } from 'vitest';
import { nextMessages } from '../../../../src/agents/supervisor/orders';
import type { Current } from '../../../../src/agents/supervisor/options';
import type { InboxMessage, MessageKind } from '../../../../src/core/model';

const current = (isRunning = true, takes = (_kind: MessageKind) => true) =>
  ({ running: { isRunning: () => isRunning }, channel: { takes } }) as unknown as Current;
const waiting = (...kinds: readonly MessageKind[]) => kinds.map((kind) => ({ kind }) as InboxMessage);
const kindsOf = (messages: readonly InboxMessage[]) => messages.map(({ kind }) => kind);

test('a stop is carried out before a restart that has waited longer: no agent that a person stopped is started again', () => {
  expect(kindsOf(nextMessages(waiting('restart', 'stop'), current()))).toEqual(['stop']);
  expect(kindsOf(nextMessages(waiting('stop', 'restart'), current()))).toEqual(['stop']);
});

test('all texts are delivered before one command, after which another program runs', () => {
  expect(kindsOf(nextMessages(waiting('restart', 'nudge', 'escalate', 'gate'), current()))).toEqual([
    'nudge',
    'gate',
    'restart',
  ]);
});

test('what the program cannot take waits, and all of it waits once the program has ended', () => {
  const onlyStop = current(true, (kind) => kind === 'stop');
  expect(kindsOf(nextMessages(waiting('nudge', 'stop'), onlyStop))).toEqual(['stop']);
  expect(nextMessages(waiting('nudge', 'stop'), current(false))).toEqual([]);
});
