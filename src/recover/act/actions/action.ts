import type { AgentView, Incident } from '../../../core/model';
import type { Result } from '../../../base/util/result';
import type { SavedCheckpoint } from '../../checkpoint';
import type { CheckpointFailure } from '../../checkpoint/failure';
import type { Decision } from '../../decisions/decision';
import type { Cases } from '../cases';
import type { Drafts } from '../drafts';
import type { RecoveryJournal } from '../journal';
import type { LaterStarts } from '../later-starts';
import type { ActFailure, Acted, ActOptions, Case, CheckpointWatch, RecoveryParts } from '../ports';
import type { AttemptSender } from '../sending';
import type { FollowedAttempt, Starting } from '../starting';

/** Parts that the actions of a recovery share. */
export interface ActionParts {
  readonly parts: RecoveryParts;
  readonly cases: Cases;
  readonly drafts: Drafts;
  readonly journal: RecoveryJournal;
  readonly sending: AttemptSender;
  readonly starting: Starting;
  readonly later: LaterStarts;
  /** Watches the result of an attempt in another session. */
  readonly follow: (followed: FollowedAttempt) => void;
  /** Saves the work in progress of a session; `incident` is null if nothing is stuck. */
  readonly save: (
    of: { readonly view: AgentView; readonly incident: Incident | null },
    watch: CheckpointWatch,
  ) => Promise<Result<SavedCheckpoint, CheckpointFailure>>;
}

export type Outcome = Promise<Result<Acted, ActFailure>>;

/** An action on an incident, as its attempt `number`. */
export type Action = (
  workshop: ActionParts,
  found: Case,
  decision: Decision,
  options: ActOptions,
  number: number,
) => Outcome;
