import type { PlanItem } from '../../core/model';

/** Part of an agent's own plan that concerns being stuck. */
export interface PlanOutlook {
  /** The item that it is stuck on: one marked as blocked, otherwise the one it works on. Null without a plan. */
  readonly stuckOn: PlanItem | null;
  /** The plan itself marks this item as blocked. */
  readonly isBlocked: boolean;
  /** Open items that do not depend on it, even indirectly; those that can be begun at once come first. */
  readonly others: readonly PlanItem[];
  /** The next smaller step: an open part of the item (`2.1` of `2`), otherwise the first item that can be begun at once. */
  readonly smaller: PlanItem | null;
}

const NO_PLAN: PlanOutlook = { stuckOn: null, isBlocked: false, others: [], smaller: null };

export function planOutlook(plan: readonly PlanItem[]): PlanOutlook {
  if (plan.length === 0) return NO_PLAN;
  const byId = new Map(plan.map((item) => [item.id, item]));
  const isDone = (id: string) => (byId.get(id)?.status ?? 'completed') === 'completed';
  const isReady = (item: PlanItem) => (item.blockedBy ?? []).every(isDone);
  const blocked = plan.filter((item) => item.status === 'blocked');
  // An item without blockers is the cause; one that waits for it is only its consequence.
  const stuckOn = blocked.find(isReady) ?? blocked[0] ?? plan.find((item) => item.status === 'in_progress') ?? null;
  if (!stuckOn) return NO_PLAN;
  const dependent = dependentsOf(plan, stuckOn.id);
  const others = plan.filter(
    (item) =>
      item.id !== stuckOn.id &&
      (item.status === 'pending' || item.status === 'in_progress') &&
      !dependent.has(item.id) &&
      !isPartOf(item, stuckOn),
  );
  const ready = others.filter(isReady);
  const part = plan.find((item) => isPartOf(item, stuckOn) && item.status !== 'completed' && isReady(item));
  return {
    stuckOn,
    isBlocked: stuckOn.status === 'blocked',
    others: [...ready, ...others.filter((item) => !isReady(item))],
    smaller: part ?? ready[0] ?? null,
  };
}

/** Returns all items that wait for this one, even indirectly. Cycles in a plan end the walk, not the program. */
function dependentsOf(plan: readonly PlanItem[], id: string): ReadonlySet<string> {
  const found = new Set<string>([id]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const item of plan) {
      if (found.has(item.id) || !item.blockedBy?.some((other) => found.has(other))) continue;
      found.add(item.id);
      grew = true;
    }
  }
  found.delete(id);
  return found;
}

function isPartOf(item: PlanItem, whole: PlanItem): boolean {
  return item.id.startsWith(`${whole.id}.`) || item.id.startsWith(`${whole.id}-`);
}
