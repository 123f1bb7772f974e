import { describe, expect, it, vi } from 'vitest';
import type { AgentState, Machine } from '../../../../src/core/model';
import { machineFacts, machineGroups } from '../../../../src/editor/trees/machine-rows';
import { machineInShort } from '../../../../src/core/words';
import { MINUTE, T0 } from '../../history/support/incidents';
import { agentView } from '../support/views';

vi.mock('vscode', () => import('../support/vscode'));

const machine = (name: string, presence: Machine['presence'] = 'live'): Machine => ({ name, presence, lastSeenAt: T0 });
const on = (name: string, session: string, state: Partial<AgentState> = {}) =>
  agentView(session, state, { machine: { ...machine(name), accepts: [] } });

describe('the machines of the list', () => {
  it('are at the position of their first agent, and those without agents come last, by name', () => {
    const machines = ['d', 'c', 'b', 'a'].map((name) => machine(name));
    const views = [on('b', '1', { kind: 'stuck' }), on('c', '2'), on('b', '3')];
    const groups = machineGroups(machines, views);
    expect(groups.map((group) => [group.machine.name, group.views.map(({ session }) => session)])).toEqual([
      ['b', ['1', '3']],
      ['c', ['2']],
      ['a', []],
      ['d', []],
    ]);
  });

  it.each([
    [machine('a'), [], 'no agent'],
    [machine('a'), [on('a', '1')], '1 agent'],
    [
      machine('a'),
      [on('a', '1', { kind: 'waiting', waitingFor: 'question' }), on('a', '2', { kind: 'stuck' }), on('a', '3')],
      '1 needs you · 1 stuck · 3 agents',
    ],
    [machine('a', 'silent'), [on('a', '1')], 'last seen 4 min ago'],
    [machine('a', 'stopped'), [], 'relay ended 4 min ago'],
    [machine('a', 'version'), [], 'later version'],
  ] as const)('say how they stand', (one, views, words) => {
    expect(machineInShort(machineFacts({ machine: one, views }), T0 + 4 * MINUTE)).toBe(words);
  });
});
