import type { Gate } from './gate';

/** What a folder holds, as far as gates are concerned. */
export interface ProjectFiles {
  /** Texts of the files of `READ_FILES` that are there, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Names of everything in the folder. */
  readonly names: ReadonlySet<string>;
  /** Is there a file at this relative path? Asked for few. */
  readonly has: (path: string) => boolean;
}

/** A gate without what is the same for all. */
export type Proposal = Pick<Gate, 'id' | 'command'> & Partial<Pick<Gate, 'runs' | 'needs' | 'name'>>;
