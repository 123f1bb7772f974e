import type { NotedIncident } from '../../detect/incident';
import type { PermissionNote } from '../../detect/session/permission-wait';
import type { NearMiss } from '../../core/model';
import type { CoverageNote } from './coverage';
import type { FactsNote } from './facts';
import type { HealthNote } from './health';

/** Facts known to a reading of a whole session and not to one of its last lines; stored as JSON. */
export interface SessionNote {
  readonly facts: FactsNote;
  readonly health: HealthNote;
  readonly coverage: CoverageNote;
  readonly incidents: readonly NotedIncident[];
  readonly hints: readonly NotedIncident[];
  readonly nearMisses: readonly (readonly [rule: string, nearMiss: NearMiss])[];
  /** Steps from the beginning on. */
  readonly steps: number;
  /** The same as `Session.isCopy`. */
  readonly isCopy: boolean;
  readonly permission: PermissionNote;
  /** The rules can continue from here: no incident is open, and no line was copied from elsewhere. */
  readonly canContinue: boolean;
}
