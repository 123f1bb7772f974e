import type { Gate } from './gate';

/** Files of a folder that matter for gates. */
export interface ProjectFiles {
  /** Texts of the files of `READ_FILES` that are there, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Names of everything in the folder. */
  readonly names: ReadonlySet<string>;
  /** Returns whether there is a file at this relative path. Called for few paths. */
  readonly has: (path: string) => boolean;
}

/** A gate without what is the same for all. */
export type GateProposal = Pick<Gate, 'id' | 'command'> & Partial<Pick<Gate, 'runs' | 'needs' | 'name'>>;
