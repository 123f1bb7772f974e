import { type AgentId, type AgentView, needsAnswer } from '../../core/model';

/** A fact about an agent that a person may be notified of, in addition to its incidents. */
export type Notice =
  /** It has waited for permission or an answer longer than the set time. */
  | { readonly kind: 'waits'; readonly session: string; readonly since: number }
  | { readonly kind: 'died' | 'finished'; readonly session: string; readonly since: number }
  /** The service of a kind of agent refuses to answer until a limit opens, or answers again. */
  | { readonly kind: 'limit' | 'limit_open'; readonly agent: AgentId; readonly since: number };

export type NoticeKind = Notice['kind'];

/** Settings of the notices. `waitMs` is null if waits cause no notice. */
export interface AttentionOptions {
  readonly waitMs: number | null;
  /** Returns true if the terminal in which it asks is in front. */
  readonly isInFront: (view: AgentView) => boolean;
}

interface Followed {
  readonly view: AgentView;
  /** Start of its wait for an answer; null while it does not wait. */
  readonly waitsSince: number | null;
  readonly isWaitReported: boolean;
}

interface Limit {
  readonly since: number;
  readonly opensAt: number | undefined;
  readonly isOpen: boolean;
}

/** Time after which a wait whose terminal is in front is checked again. */
const AGAIN_MS = 10_000;

/**
 * Follows all agents and reports once each wait, death, end and limit that is worth a notice. Anything that was already so when this window opened is
 * history. Times are passed in.
 */
export class Attention {
  private readonly agents = new Map<string, Followed>();
  private readonly limits = new Map<AgentId, Limit>();

  constructor(
    private readonly options: () => AttentionOptions,
    /** Time at which this window opened. */
    private readonly startedAt: number,
  ) {}

  /** Takes an agent that changed, or is shown for the first time; undefined if it is no longer shown. */
  changed(session: string, view: AgentView | undefined): readonly Notice[] {
    const before = this.agents.get(session);
    if (!view) {
      this.agents.delete(session);
      return before ? this.answered(before.view.agent) : [];
    }
    const asks = needsAnswer(view.state);
    const stillWaits = asks && before !== undefined && before.waitsSince !== null;
    this.agents.set(session, {
      view,
      waitsSince: asks ? (stillWaits ? before.waitsSince : view.state.since) : null,
      isWaitReported: stillWaits ? before.isWaitReported : asks && view.history,
    });
    return [...this.ended(before?.view, view), ...this.limited(view), ...(before ? this.answered(view.agent) : [])];
  }

  /** Returns the notices that time alone makes due. */
  due(now: number): readonly Notice[] {
    const notices: Notice[] = [];
    const { waitMs, isInFront } = this.options();
    for (const [session, one] of this.agents) {
      const since = one.waitsSince;
      if (waitMs === null || since === null || one.isWaitReported || now - since < waitMs || isInFront(one.view))
        continue;
      this.agents.set(session, { ...one, isWaitReported: true });
      notices.push({ kind: 'waits', session, since });
    }
    for (const [agent, limit] of this.limits) {
      if (limit.isOpen || limit.opensAt === undefined || now < limit.opensAt) continue;
      notices.push(...this.open(agent, limit));
    }
    return notices;
  }

  /** Returns when `due` may next return something; infinite while there is nothing to wait for. */
  nextAt(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    const { waitMs } = this.options();
    for (const { waitsSince, isWaitReported } of this.agents.values()) {
      if (waitMs === null || waitsSince === null || isWaitReported) continue;
      const due = waitsSince + waitMs;
      next = Math.min(next, due > now ? due : now + AGAIN_MS);
    }
    for (const { isOpen, opensAt } of this.limits.values())
      if (!isOpen && opensAt !== undefined) next = Math.min(next, opensAt);
    return next;
  }

  /** Counts the agents of a kind that are held by its limit. */
  held(agent: AgentId): number {
    let count = 0;
    for (const { view } of this.agents.values()) if (view.agent === agent && view.usageLimit) count++;
    return count;
  }

  private ended(before: AgentView | undefined, view: AgentView): readonly Notice[] {
    // A sub-agent ends with the one that started it, or because its work is done.
    if (!before || before.state.kind === 'finished' || view.state.kind !== 'finished') return [];
    if (view.parent !== undefined || view.history) return [];
    const { since, ended = 'clean' } = view.state;
    if (ended === 'interrupted') return [];
    return [{ kind: ended === 'died' ? 'died' : 'finished', session: view.session, since }];
  }

  private limited({ agent, usageLimit, history }: AgentView): readonly Notice[] {
    if (!usageLimit || history || usageLimit.since < this.startedAt) return [];
    const known = this.limits.get(agent);
    // One limit holds all agents of an account: each of them runs into it.
    if (known && (!known.isOpen || usageLimit.since <= known.since)) {
      // The first of them may not have been told when it opens. Of two, such as five hours and a week, the last to open holds them.
      const opensAt = Math.max(known.opensAt ?? 0, usageLimit.opensAt ?? 0) || undefined;
      this.limits.set(agent, { ...known, opensAt });
      return [];
    }
    this.limits.set(agent, { since: usageLimit.since, opensAt: usageLimit.opensAt, isOpen: false });
    return [{ kind: 'limit', agent, since: usageLimit.since }];
  }

  /** Reports the limit of a kind of agent as open once it holds none of its agents any more. */
  private answered(agent: AgentId): readonly Notice[] {
    const limit = this.limits.get(agent);
    if (!limit || limit.isOpen || this.held(agent) > 0) return [];
    return this.open(agent, limit);
  }

  private open(agent: AgentId, limit: Limit): readonly Notice[] {
    this.limits.set(agent, { ...limit, isOpen: true });
    return [{ kind: 'limit_open', agent, since: limit.since }];
  }
}
