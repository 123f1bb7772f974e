import { type Incident, arrivedAt, canContinue } from '../../../core/model';
import { arrivalOf, longestWait } from '../../../core/words';
import type { MessageBox, PanelDelivery } from '../snapshot';
import { type NumberedDelivery, type StepsInTime, stepsSince } from '../watch';
import type { SnapshotInput } from '../snapshot-input';

/** Fills the message box; null if no message can reach the agent. */
export function messageBox(
  shown: Incident | null,
  deliveries: readonly NumberedDelivery[],
  input: SnapshotInput,
): MessageBox | null {
  if (!input.reach) return null;
  const own = deliveries.filter(({ delivery }) => shown !== null && delivery.message.incident === shown.id);
  // The draft is already on its way; offering it again would send it twice.
  const isSent = own.some(
    ({ delivery }) => delivery.message.kind === 'nudge' && ['queued', 'taken', 'seen'].includes(delivery.state),
  );
  const { state } = input.view;
  const inTrouble = state.kind === 'stuck' || state.kind === 'escalated';
  const continues = canContinue(state, input.now);
  return {
    number: Math.max(0, ...own.map((one) => one.number)) + 1,
    open: inTrouble || continues,
    continues,
    draft: isSent ? '' : input.draft,
    reach: input.reach,
    ...(input.connected && typeof input.notTested === 'string' && { notTested: input.notTested }),
    ...(shown && { incident: shown.id }),
  };
}

/** Describes a message that was sent, and the steps since the agent took it. */
export function panelDelivery(
  { delivery, number }: NumberedDelivery,
  steps: StepsInTime,
  input: SnapshotInput,
): PanelDelivery {
  const taken = arrivedAt(delivery);
  return {
    id: delivery.message.id,
    kind: delivery.message.kind,
    number: delivery.message.incident === undefined ? 0 : number,
    state: delivery.state,
    times: delivery.times,
    watched: taken === undefined ? 0 : stepsSince(taken, steps).seen,
    connected: input.connected || input.reach?.kind === 'waits_for_trust',
    arrival: arrivalOf(input.reach),
    expiry: longestWait(delivery.message),
    text: delivery.message.text,
    ...(delivery.onTheWay && { onTheWay: delivery.onTheWay }),
    ...(delivery.outcome !== undefined && { outcome: delivery.outcome }),
    ...(delivery.reason !== undefined && { reason: delivery.reason }),
  };
}
