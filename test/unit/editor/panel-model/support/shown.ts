import { type AgentView, stepFlags } from '../../../../../src/core/model';
import { panelSnapshot } from '../../../../../src/editor/panel-model/build';
import type { SnapshotInput } from '../../../../../src/editor/panel-model/snapshot-input';
import { MINUTE, T0 } from '../../../history/support/incidents';
import { agentView } from '../../support/views';

export const NOW = T0 + 20 * MINUTE;

/** Steps one minute apart. Those in `seen` had a result that was seen before. */
export function stepsOf(count: number, seen: readonly number[] = []): SnapshotInput['steps'] {
  const places = Array.from({ length: count }, (_, i) => i);
  return {
    from: 0,
    at: Float64Array.from(places, (i) => T0 + i * MINUTE),
    flags: Uint8Array.from(places, (i) => stepFlags('ran', false, seen.includes(i))),
    outcomes: new Uint32Array(count),
    lines: new Uint32Array(count),
  };
}

/** The snapshot of one agent, as the window sends it. */
export function shown(view: Partial<AgentView> = {}, more: Partial<SnapshotInput> = {}) {
  return panelSnapshot({
    view: agentView('s', {}, view),
    steps: stepsOf(0),
    subjects: { from: 0, subjects: [] },
    markers: [],
    past: [],
    flags: { restricted: false, paused: false, gone: false, storeLocked: false },
    draft: '',
    reach: { kind: 'next_call' },
    connected: true,
    now: NOW,
    ...more,
  });
}

export const state = (
  kind: AgentView['state']['kind'],
  more: Partial<AgentView['state']> = {},
): AgentView['state'] => ({
  kind,
  since: T0,
  ...more,
});
