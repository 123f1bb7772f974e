/** Why a checkpoint was not made, found or restored. */
export type CheckpointFailureCode =
  | 'no_git'
  | 'not_a_work_tree'
  | 'clean'
  | 'too_large'
  | 'dirty'
  | 'changed_since'
  | 'not_found'
  | 'bad_name'
  | 'unreadable_names'
  | 'git_failed';

export interface CheckpointFailure {
  readonly code: CheckpointFailureCode;
  /** One or two sentences for a person. */
  readonly message: string;
}

/** File access that git does not offer, passed in. */
export interface CheckpointFiles {
  /** A new folder that only this user can read. */
  temporary(): Promise<string>;
  remove(folder: string): Promise<void>;
  /**
   * False where there is nothing to copy. The copy has the time of change of the original, in whole seconds and not later: git takes a file
   * that changed in the second in which the index was written for unchanged, unless the index is as old as that.
   */
  copy(from: string, to: string): Promise<boolean>;
  /** Bytes of a regular file, never through a link; null for anything else. */
  size(path: string): Promise<number | null>;
}
