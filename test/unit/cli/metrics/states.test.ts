import { describe, expect, it } from 'vitest';
import { LOOK_INTERVAL_MS, AgentStates } from '../../../../src/cli/metrics/states';
import type { MetricReading } from '../../../../src/cli/metrics/metrics';
import type { AgentState } from '../../../../src/core/model';
import { agentView } from '../../editor/support/views';

const view = (session: string, state: Partial<AgentState>, agent: 'codex' | 'claude-code' = 'codex') =>
  agentView(session, state, { agent });

/** Everything that is not 0, as `agent state value`. */
const some = (readings: readonly MetricReading[]) =>
  readings.filter(({ value }) => value !== 0).map(({ labels, value }) => [...Object.values(labels), value].join(' '));

describe('agents by state', () => {
  it('are counted as they are now', () => {
    const states = new AgentStates();
    states.look([view('a', { kind: 'stuck' }), view('b', { kind: 'working' }), view('c', { kind: 'working' })], 0);
    expect(some(states.agents())).toEqual(['codex stuck 1', 'codex working 2']);
    states.changed('a', view('a', { kind: 'working' }), 1);
    states.changed('b', undefined, 1);
    expect(some(states.agents())).toEqual(['codex working 2']);
  });

  it('have all states, and stay at 0 when the last one is gone', () => {
    const states = new AgentStates();
    expect(states.agents()).toEqual([]);
    states.look([view('a', { kind: 'stuck' }), view('b', { kind: 'stuck' }, 'claude-code')], 0);
    expect(states.agents()).toHaveLength(16);
    states.look([], 1);
    expect(states.agents()).toHaveLength(16);
    expect(some(states.agents())).toEqual([]);
  });

  it('need a person if they are stuck or ask', () => {
    const states = new AgentStates();
    states.look(
      [
        view('a', { kind: 'stuck' }),
        view('b', { kind: 'waiting', waitingFor: 'permission' }),
        view('c', { kind: 'waiting', waitingFor: 'turn_end' }),
        view('d', { kind: 'working' }, 'claude-code'),
      ],
      0,
    );
    expect(states.needingPerson()).toEqual([
      { value: 2, labels: { 'gen_ai.agent.name': 'codex' } },
      { value: 0, labels: { 'gen_ai.agent.name': 'claude-code' } },
    ]);
  });
});

describe('time by state', () => {
  it('goes to the state that an agent was in', () => {
    const states = new AgentStates();
    states.look([view('a', { kind: 'working' }), view('b', { kind: 'working' })], 0);
    states.changed('a', view('a', { kind: 'stuck' }), 4_000);
    states.look([view('a', { kind: 'stuck' }), view('b', { kind: 'working' })], 10_000);
    expect(some(states.seconds())).toEqual(['codex stuck 6', 'codex working 14']);
  });

  it('does not continue for an agent that finished or is not shown', () => {
    const states = new AgentStates();
    states.look([view('a', { kind: 'finished' }), view('b', { kind: 'stuck' })], 0);
    states.look([view('a', { kind: 'finished' })], 5_000);
    states.look([view('a', { kind: 'finished' })], 10_000);
    expect(some(states.seconds())).toEqual(['codex stuck 5']);
  });

  it('does not pass while the machine sleeps, nor backwards', () => {
    const states = new AgentStates();
    const stuck = [view('a', { kind: 'stuck' })];
    states.look(stuck, 0);
    states.look(stuck, 8 * 3_600_000);
    expect(some(states.seconds())).toEqual([`codex stuck ${(3 * LOOK_INTERVAL_MS) / 1_000}`]);
    states.look(stuck, 0);
    expect(some(states.seconds())).toEqual([`codex stuck ${(3 * LOOK_INTERVAL_MS) / 1_000}`]);
  });
});
