import type { EventRecord, WireIncident } from '../../fleet';
import type { AgentState, Incident, MessageKind } from '../../core/model';
import { type MachineReport, isStateKind } from '../../core/words';
import { incidentFacts } from '../panel-model/sections/incident';

/**
 * Returns a machine's reports about an agent, in the time of this machine's clock. A receipt belongs to the message that was reported before it. If
 * that message is further back, it was a nudge: nothing else is sent as often.
 *
 * @param ahead milliseconds by which the clock of that machine is ahead
 */
export function reportsOf(
  events: readonly EventRecord[],
  ahead: number,
  incidentOf: (incident: WireIncident) => Incident,
): readonly MachineReport[] {
  const actions = new Map<string, MessageKind>();
  return events.map((record): MachineReport => {
    const at = Math.max(0, record.at - ahead);
    const { event } = record;
    switch (event.type) {
      case 'state':
        return { at, kind: 'state', state: stateOf(event.state) };
      case 'incident':
        return { at, kind: 'incident', facts: incidentFacts(incidentOf(event.incident)) };
      case 'message':
        actions.set(event.message, event.action);
        return { at, kind: 'message', action: event.action, viewer: event.viewer };
      case 'receipt': {
        const action = actions.get(event.message) ?? 'nudge';
        return { at, kind: 'receipt', action, state: event.state, reason: event.reason ?? '' };
      }
    }
  });
}

/** Returns null for a state of a later version. */
function stateOf(state: string): AgentState['kind'] | null {
  return isStateKind(state) ? state : null;
}
