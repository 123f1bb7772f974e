import { expect, it } from 'vitest';
import { SILENT_MS } from '../../../../src/fleet';
import { MachineRoster } from '../../../../src/fleet/client/roster';
import { T0 } from '../../history/support/incidents';
import { machine } from '../wire/records';

const HOUR = 3_600_000;

it('a clock of this machine that is set back an hour changes neither the age of a heartbeat nor the times of its machine', () => {
  const roster = new MachineRoster();
  const heartbeat = (sequence: number, at: number) => ({
    key: 'alpha.machine',
    bytes: new TextEncoder().encode(JSON.stringify({ ...machine, at })),
    sequence,
  });
  roster.take(heartbeat(1, T0), T0 + HOUR);
  expect(roster.list(T0 + HOUR)).toMatchObject([{ lastSeenAt: T0 + HOUR, aheadMs: -HOUR }]);
  // Now both clocks are right.
  const now = T0 + 10_000;
  roster.take(heartbeat(2, now), now);
  expect(roster.list(now)).toMatchObject([{ presence: 'live', lastSeenAt: now, aheadMs: 0 }]);
  expect(roster.list(now + SILENT_MS + 1)).toMatchObject([{ presence: 'silent', lastSeenAt: now }]);
});
