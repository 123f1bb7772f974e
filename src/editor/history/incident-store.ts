import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Timers } from '../../base/beat';
import { systemClock } from '../../base/clock';
import { type IncidentStore, openThreadedStore } from '../../history';
import type { Replays } from '../replay/sessions';
import type { Log } from '../../base/util/log';
import { createHash } from 'node:crypto';

/**
 * Opens the history of this folder's incidents.
 * @param days returns for how many days incidents are kept
 */
export function openIncidents(
  { extensionUri, globalStorageUri }: vscode.ExtensionContext,
  beat: Timers,
  days: () => number,
  log: Log,
): Promise<IncidentStore> {
  const options = {
    // Not storageUri: a second window on the same folder gets another one, and the two must share what they know.
    folder: join(globalStorageUri.fsPath, 'incidents', workspaceName()),
    wasm: join(extensionUri.fsPath, 'dist/sql-wasm.wasm'),
    clock: systemClock,
    beat,
    window: vscode.env.sessionId,
    log,
    days,
  };
  return openThreadedStore(options, join(extensionUri.fsPath, 'dist/history-worker.js'));
}

/** Returns the same store, but keeps nothing of replays: they are no history. */
export function withoutReplays(store: IncidentStore, replayed: Pick<Replays, 'has'>): IncidentStore {
  return {
    ...store,
    save: (incident) => (replayed.has(incident.session) ? Promise.resolve() : store.save(incident)),
    sawSession(seen) {
      if (!replayed.has(seen.session)) store.sawSession(seen);
    },
    appendEvent: (event) =>
      replayed.has(event.session) ? Promise.resolve({ ...event, id: event.id ?? '' }) : store.appendEvent(event),
  };
}

/** Returns a short name that is the same for the same set of folders in every window. */
function workspaceName(): string {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.toString()).sort();
  return folders.length === 0 ? 'none' : createHash('sha256').update(folders.join('\n')).digest('hex').slice(0, 16);
}
