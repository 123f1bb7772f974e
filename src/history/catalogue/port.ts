import type { StoreReason } from '../errors';
import type { StoreRecord } from '../journal/records';
import type { RebuildJob, Rebuilt } from '../snapshot/rebuild';
import type { Catalogue } from './catalogue';

/** A catalogue behind a port, in any thread. Answers reject if it cannot be reached. */
export type CataloguePort = {
  readonly [K in keyof Catalogue]: (...values: Parameters<Catalogue[K]>) => Promise<ReturnType<Catalogue[K]>>;
} & {
  /** Rebuilds the snapshot (snapshot/rebuild.ts) in the catalogue's thread, if that is running. */
  rebuild(job: RebuildJob, remembered: readonly StoreRecord[] | null): Promise<Rebuilt | null>;
  /** Calls the listener when the catalogue knows nothing any more and must be opened again. */
  readonly onDidEnd: (listener: () => void) => void;
  close(): Promise<void>;
};

/** A query to the thread, numbered. */
export interface CatalogueQuestion {
  readonly request: number;
  readonly what: keyof Catalogue | 'rebuild';
  readonly values: readonly unknown[];
}

export interface CatalogueAnswer {
  readonly request: number;
  readonly value?: unknown;
  /** Why there is no value. */
  readonly failed?: string;
  /** Reason code of the store, if the error is one of its own. */
  readonly reason?: StoreReason;
}

const QUESTIONS = [
  'open',
  'apply',
  'incidents',
  'facets',
  'file',
  'events',
  'learnings',
  'recall',
  'alike',
  'statistics',
  'records',
  'prepareSearch',
] as const satisfies readonly (keyof Catalogue)[];

/** Returns a port whose queries all take the same route. */
export function portOf(
  query: (what: keyof Catalogue, values: readonly unknown[]) => Promise<unknown>,
  rest: Pick<CataloguePort, 'rebuild' | 'onDidEnd' | 'close'>,
): CataloguePort {
  const questions = QUESTIONS.map((what) => [what, (...values: unknown[]) => query(what, values)] as const);
  return { ...(Object.fromEntries(questions) as unknown as CataloguePort), ...rest };
}

/** Calls a method of the catalogue by name. */
export function callCatalogue(catalogue: Catalogue, what: keyof Catalogue, values: readonly unknown[]): unknown {
  return (catalogue[what] as (...values: readonly unknown[]) => unknown)(...values);
}
