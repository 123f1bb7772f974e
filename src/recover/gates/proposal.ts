import type { Gate } from './gate';

/** Files of a folder that matter for gates. */
export interface ProjectFiles {
  /** Texts of those files in `READ_FILES` that exist, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Names of everything in the folder. */
  readonly names: ReadonlySet<string>;
  /** True if there is a file at this relative path. Called for few paths. */
  readonly has: (path: string) => boolean;
}

/** A gate without the parts that are the same for all. */
export type GateProposal = Pick<Gate, 'id' | 'command'> & Partial<Pick<Gate, 'runs' | 'needs'>>;
