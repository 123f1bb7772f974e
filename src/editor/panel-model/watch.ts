import { type AgentView, type Delivery, type Incident, arrivedAt } from '../../core/model';
import type { Watch } from '../../core/words';

/** Steps in order of time, as far back as they are known. */
export interface StepsInTime {
  readonly length: number;
  /** When a step ended, milliseconds since the epoch. */
  readonly at: (place: number) => number;
  /** Returns whether an earlier step had the same outcome. */
  readonly wasSeen: (place: number) => boolean;
}

export interface NumberedDelivery {
  readonly delivery: Delivery;
  /** Number of the nudge within its incident, 1 for the first; 0 for other kinds. */
  readonly number: number;
}

/**
 * Numbers the nudges of each incident. `deliveries` are in order, oldest first. The attempts of an incident count if they name the message: the inbox
 * may have forgotten earlier messages.
 */
export function numbered(deliveries: readonly Delivery[], incidents: readonly Incident[]): NumberedDelivery[] {
  const known = new Map<string, number>();
  for (const { attempts } of incidents) {
    attempts.filter(({ kind }) => kind === 'nudge').forEach(({ message }, index) => known.set(message, index + 1));
  }
  const seen = new Map<string, number>();
  return deliveries.map((delivery) => {
    const { id, kind, incident = '' } = delivery.message;
    if (kind !== 'nudge') return { delivery, number: 0 };
    const number = known.get(id) ?? (seen.get(incident) ?? 0) + 1;
    seen.set(incident, number);
    return { delivery, number };
  });
}

/** Counts the steps that ended after a moment, and how many of them had new results. */
export function stepsSince(moment: number, steps: StepsInTime): Pick<Watch, 'seen' | 'fresh'> {
  let seen = 0;
  let fresh = 0;
  for (let place = steps.length - 1; place >= 0 && steps.at(place) > moment; place--) {
    seen++;
    if (!steps.wasSeen(place)) fresh++;
  }
  return { seen, fresh };
}

/** Returns the message whose effect is watched, and what happened since; undefined if the agent is not recovering after one. */
export function watchOf(
  view: Pick<AgentView, 'state' | 'deliveries' | 'machine'>,
  incidents: readonly Incident[],
  steps: StepsInTime,
): Watch | undefined {
  // The steps of an agent on another machine are not counted here.
  if (view.state.kind !== 'recovering' || view.machine) return undefined;
  const last = numbered(view.deliveries, incidents).findLast(({ delivery }) => arrivedAt(delivery) !== undefined);
  const taken = last && arrivedAt(last.delivery);
  if (last === undefined || taken === undefined) return undefined;
  return { kind: last.delivery.message.kind, nudge: last.number, takenAt: taken, ...stepsSince(taken, steps) };
}
