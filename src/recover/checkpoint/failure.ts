import { quotedLine } from '../quote';

/** The reason why a checkpoint was not made, found or restored. */
export type CheckpointFailureCode =
  | 'no_git'
  | 'not_a_work_tree'
  | 'clean'
  | 'too_large'
  | 'dirty'
  | 'changed_since'
  | 'in_the_way'
  | 'not_found'
  | 'bad_name'
  | 'linked'
  | 'cancelled'
  | 'too_slow'
  | 'unwritten'
  | 'git_failed';

export interface CheckpointFailure {
  readonly code: CheckpointFailureCode;
  /** One or two sentences for a person. */
  readonly message: string;
}

/** Returns the failure of work that an error of the system ended before a file of the work tree was changed. */
export function systemFailure(error: unknown): CheckpointFailure {
  const why = error instanceof Error ? error.message : String(error);
  return { code: 'unwritten', message: `The system failed: ${quotedLine(why)}. No file was changed.` };
}
