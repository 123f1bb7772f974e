import type { AgentView } from '../../core/model';
import type { RecoveryParts } from './ports';

/** A session that began so long before the start that we asked for is another one, milliseconds. */
const CLOCKS_DIFFER_MS = 2_000;

/** A start of which a session will come. */
interface Start {
  readonly from: AgentView;
  /** When it was asked for, milliseconds since the epoch. */
  readonly at: number;
}

/** The first session of the same agent in the same folder that begins after the start, or that says where it comes from. */
export function successorOf({ engine }: Pick<RecoveryParts, 'engine'>, { from, at }: Start): string | undefined {
  return engine.agents().find((view) => {
    if (view.session === from.session || view.agent !== from.agent) return false;
    if (engine.session(view.session)?.facts.forkedFrom === from.session) return view.health.lastEventAt > at;
    return view.cwd === from.cwd && view.parent === undefined && view.health.startedAt >= at - CLOCKS_DIFFER_MS;
  })?.session;
}
