import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../../src/core/model';
import {
  type DeliveryFacts,
  type FleetTrouble,
  type MachineReport,
  deliveryInShort,
  deliveryLine,
  escalated,
  fleetNote,
  freed,
  incidentNotification,
  notTaken,
  presenceInWords,
  presenceSentence,
  reachSentence,
  refusalWords,
  statePill,
  stateLabel,
  stateLook,
  reportRow,
  treeDescription,
  plain,
} from '../../../../../src/core/words';
import { MINUTE, T0 } from '../../../history/support/incidents';

const NOW = T0 + 4 * MINUTE;
const lost = (presence: NonNullable<AgentState['lost']>): AgentState => ({
  kind: 'not_monitored',
  since: T0,
  lost: presence,
});

describe('an agent whose machine is silent', () => {
  it.each([
    ['silent', 'Last seen 4 min ago', 'last seen 4 min ago', 'last seen 4 minutes ago'],
    ['stopped', 'Relay ended 4 min ago', 'relay ended 4 min ago', 'relay ended 4 minutes ago'],
    ['version', 'Later version', 'later version', 'later version'],
  ] as const)('says so: %s', (presence, pill, row, label) => {
    const state = lost(presence);
    expect(statePill(state, NOW)).toBe(pill);
    expect(treeDescription(state, NOW, '')).toBe(row);
    expect(stateLabel(state, 'Migrate', 'Codex', NOW)).toBe(`Migrate, ${label}, Codex`);
    expect(presenceInWords(presence, T0, NOW)).toBe(label);
    expect(presenceSentence(presence, T0, NOW)).toMatch(/^(Nothing|The relay|This machine) .+\.$/);
    expect(stateLook(state)).toEqual({ icon: 'debug-disconnect', tone: 'quiet' });
  });
});

describe('a message to another machine', () => {
  const facts = (more: Partial<DeliveryFacts>): DeliveryFacts => ({
    state: 'queued',
    times: {},
    watched: 0,
    connected: true,
    agentName: 'Codex',
    expiry: 600_000,
    machine: 'build-1',
    ...more,
  });
  const dots = (more: Partial<DeliveryFacts>) =>
    deliveryLine(facts(more)).dots.map(({ done, name, note }) => `${done ? '●' : '○'} ${name} ${note}`.trim());

  it('is sent, queued there, and taken', () => {
    expect(dots({ onTheWay: { state: 'sending', at: T0 } })).toEqual(['○ Sent', '○ Queued on build-1', '○ Taken']);
    expect(dots({ onTheWay: { state: 'sent', at: T0 } })).toEqual([
      '● Sent 17:00:00',
      '○ Queued on build-1',
      '○ Taken',
    ]);
    expect(dots({ times: { queued: T0 } })).toEqual(['● Queued 17:00:00', '○ Taken at the next tool call', '○ Acted']);
    // Its steps are not counted here.
    expect(dots({ state: 'taken', times: { queued: T0, taken: T0 } }).at(-1)).toBe('○ Acted watching');
  });

  it('cannot be withdrawn or connected from here; a failed one is sent again', () => {
    for (const state of ['queued', 'taken', 'withdrawn'] as const)
      expect(deliveryLine(facts({ state })).actions).toEqual([]);
    expect(deliveryLine(facts({ connected: false })).actions).toEqual([]);
    expect(deliveryLine(facts({ state: 'failed', reason: 'lost' })).actions).toEqual(['send_again']);
    expect(deliveryLine(facts({ state: 'expired' })).actions).toEqual(['send_again']);
  });

  it('is in short on a row', () => {
    expect(deliveryInShort(facts({ onTheWay: { state: 'sending', at: T0 } }))).toBe('sending');
    expect(deliveryInShort(facts({ onTheWay: { state: 'sent', at: T0 } }))).toBe('sent 17:00');
    expect(deliveryInShort(facts({ times: { queued: T0 } }))).toBe('queued 17:00');
  });

  it('says how it is delivered, and where it waits', () => {
    const reach = (isLost: boolean) => plain(reachSentence({ kind: 'elsewhere', machine: 'build-1', isLost }, NOW));
    expect(reach(false)).toBe('Sent to build-1, which delivers it to the agent.');
    expect(reach(true)).toBe('build-1 is not responding. The message waits for it for at most 10 min.');
  });

  it('has a reason if it was refused, even one from a later version', () => {
    expect(refusalWords('not_allowed')).toBe('its machine does not allow it');
    expect(refusalWords('something new')).toBe('its machine did not accept it');
    expect(refusalWords('constructor')).toBe('its machine did not accept it');
  });
});

describe('notifications of agents on other machines', () => {
  it('name the machine', () => {
    const notice = { detector: 'repeating_action', title: 'Migrate', call: 'npm test', count: 5 } as const;
    expect(incidentNotification({ ...notice, machine: 'build-1' })?.text).toMatch(/^“Migrate” on build-1 is stuck: /);
    expect(escalated('Migrate', 3, 'build-1').text).toBe(
      '“Migrate” on build-1 needs you: 3 recovery steps did not help.',
    );
    expect(notTaken('Migrate', 600_000, 'build-1')).toMatchObject({
      text: 'The nudge for “Migrate” on build-1 was not taken in 10 min.',
      buttons: ['Show Nudge'],
    });
    const relief = { outcome: 'nudge', afterMs: 1_000, progress: { at: T0, text: 'npm test passed' } } as never;
    expect(freed('Migrate', relief, 'build-1').text).toMatch(/^“Migrate” on build-1 is working again\. /);
  });
});

describe('what a machine reported', () => {
  const row = (told: MachineReport) => reportRow(told, NOW)?.words;

  it('is one line each', () => {
    expect(row({ at: T0, kind: 'state', state: 'stuck' })).toBe('Stuck');
    expect(row({ at: T0, kind: 'message', action: 'nudge', viewer: 'laptop' })).toBe('Nudge from laptop');
    expect(row({ at: T0, kind: 'receipt', action: 'stop', state: 'taken', reason: '' })).toBe('Stop taken');
    expect(row({ at: T0, kind: 'receipt', action: 'restart', state: 'refused', reason: 'not_allowed' })).toBe(
      'Restart refused: its machine does not allow it',
    );
  });

  it('leaves out what a later version reports', () => {
    expect(reportRow({ at: T0, kind: 'state', state: null }, NOW)).toBeNull();
  });
});

it('every trouble with the connection is one line, and all but the wait lead somewhere', () => {
  const all: readonly FleetTrouble[] = [
    'connecting',
    'unreachable',
    'credentials',
    'no_credentials',
    'address',
    'no_tls',
    'no_certificate',
    'permission',
    'not_prepared',
    'full',
    'timeout',
    'broken',
  ];
  for (const trouble of all) {
    const { text, command } = fleetNote(trouble);
    expect(text).toMatch(/^Other machines: /);
    expect(command === undefined).toBe(trouble === 'connecting');
  }
});
