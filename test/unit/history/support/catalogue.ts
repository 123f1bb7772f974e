import { onTestFinished } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { createCatalogue, type Catalogue } from '../../../../src/history/catalogue/catalogue';
import { toStored } from '../../../../src/history/contents/merge';
import type { StoreRecord } from '../../../../src/history/journal/records';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import type { Learning, SessionSeen, StoreEvent } from '../../../../src/history/types';
import { WASM } from './make';

const engine = createSqlEngine(WASM);

export interface Kept {
  readonly incidents?: readonly Incident[];
  readonly sessions?: readonly SessionSeen[];
  readonly events?: readonly StoreEvent[];
  readonly learnings?: readonly Learning[];
}

/** A catalogue with these contents. @param ends with the test; else it lives as long as its file */
export async function catalogueOf(
  { incidents = [], sessions = [], events = [], learnings = [] }: Kept,
  ends = true,
): Promise<Catalogue> {
  const catalogue = createCatalogue(await engine());
  if (ends) onTestFinished(() => catalogue.close());
  catalogue.open(null);
  catalogue.apply([
    ...incidents.map((incident): StoreRecord => ({ k: 'incident', ...toStored(incident, undefined) })),
    ...sessions.map((session): StoreRecord => ({ k: 'session', session })),
    ...events.map((event): StoreRecord => ({ k: 'event', event })),
    ...learnings.map((learning): StoreRecord => ({ k: 'learning', learning })),
  ]);
  return catalogue;
}
