import type { AgentView } from '../core/model';
import { SILENCE_WITHOUT_TURNS_MS } from './session/facts';
import type { Session } from './session/session';

/** Keeps snapshots of sessions. Of a thousand, most are unchanged: a new one is taken only after a change, or when time alone changes the session. */
export class ViewCache {
  private readonly taken = new Map<
    string,
    { readonly of: Session; readonly view: AgentView; readonly until: number }
  >();

  /** Drops the snapshot of a session that changed. */
  forget(key: string): void {
    this.taken.delete(key);
  }

  /** @param now milliseconds since the epoch */
  of(session: Session, now: number): AgentView {
    const key = session.options.session;
    const known = this.taken.get(key);
    if (known && known.of === session && now < known.until) return known.view;
    const view = session.view(now);
    const { hasTurnLines, lastEventAt } = session.facts;
    const silent = lastEventAt + SILENCE_WITHOUT_TURNS_MS;
    const until = hasTurnLines || now >= silent ? Number.POSITIVE_INFINITY : silent;
    this.taken.set(key, { of: session, view, until });
    return view;
  }
}
