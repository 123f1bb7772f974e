import { expect, it } from 'vitest';
import { prepareEvent } from '../../../../src/history/prepare';
import type { NewStoreEvent } from '../../../../src/history/types';
import { DEFAULT_LADDER } from '../../../../src/recover/ladder';
import { RecoveryJournal } from '../../../../src/recover/act/journal';
import type { RecoveryParts } from '../../../../src/recover/act/ports';
import { NOW, attempt } from '../kit';
import { incident } from '../../history/support/incidents';

it('an attempt comes before its result in the event log, even if both have the same time', () => {
  const told: NewStoreEvent[] = [];
  const parts = {
    clock: { now: () => NOW },
    settings: () => ({ ladder: DEFAULT_LADDER }),
    store: { appendEvent: (event: NewStoreEvent) => Promise.resolve(told.push(event)) },
  } as unknown as RecoveryParts;
  const journal = new RecoveryJournal(parts, () => {});
  for (let number = 0; number < 40; number++) {
    const message = `M${number}`;
    journal.did(incident(), { do: 'nudge', reason: 'clicked', text: '', rung: null }, 'sent', { message });
    journal.cameOf(incident(), attempt({ message, at: NOW }), 'failed', {});
  }
  const log = told.map(prepareEvent).sort((one, other) => (one.id < other.id ? -1 : 1));
  expect(log.map(({ data }) => data['result'])).toEqual([
    ...Array<string>(40).fill('sent'),
    ...Array<string>(40).fill('failed'),
  ]);
});
