import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { type IncidentStore, openStore, openThreadedStore } from '../../../../src/history';
import type { StoreOptions } from '../../../../src/history/options';
import type { ProcessTable } from '../../../../src/history/windows/process-id';
import { silentLog } from '../../../../src/base/util/log';
import { FakeClock } from './fake-clock';
import { MINUTE, T0 } from './incidents';

export const WASM = createRequire(join(process.cwd(), 'package.json')).resolve('sql.js/dist/sql-wasm.wasm');

export { folder } from '../../support/folder';
export { recordingLog } from '../../support/log';
export { DAY, MINUTE, T0, attempt, incident, recovered } from './incidents';

/** The incident of an id, even of one that another window gave it, as the whole history has it. */
export async function stored(store: IncidentStore, id: string): Promise<Incident | undefined> {
  await store.incidents();
  return store.known(id);
}

/** Processes controlled by the test. All that are not named dead are alive. */
export function processes(pid: number, dead: ReadonlySet<number> = new Set()): ProcessTable {
  return {
    self: { host: 'aa', boot: 'bb', pid, start: '1' },
    liveness: (other) => (other.host === 'aa' ? (dead.has(other.pid) ? 'dead' : 'alive') : 'unknown'),
  };
}

export interface Opened {
  readonly store: IncidentStore;
  readonly clock: FakeClock;
}

/** A window on a folder; closed after the test. `thread`: path of the worker in which the history is queried; else in this thread. */
export async function open(
  path: string,
  { thread, ...options }: Partial<StoreOptions> & { readonly thread?: string } = {},
): Promise<Opened> {
  const clock = new FakeClock(T0 + 20 * MINUTE);
  const all = { ...usual(path, clock), ...options };
  const store = await (thread === undefined ? openStore(all) : openThreadedStore(all, thread));
  onTestFinished(() => store.close());
  return { store, clock };
}

/** The snapshot of a history with what `fill` puts into it. It can be made before a test begins. */
export async function snapshotOf(fill: (store: IncidentStore) => Promise<unknown>): Promise<Buffer> {
  const path = mkdtempSync(join(tmpdir(), 'unstuck-'));
  try {
    const store = await openStore(usual(path, new FakeClock(T0 + 20 * MINUTE)));
    await fill(store);
    await store.compact();
    await store.close();
    return readFileSync(join(path, 'incidents.sqlite'));
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

function usual(folder: string, clock: FakeClock): StoreOptions {
  return { folder, wasm: WASM, clock, window: 'one', log: silentLog, settleMs: 0 };
}
