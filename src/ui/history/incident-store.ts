import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../engine/ports';
import { type IncidentStore, openStore } from '../../store';
import type { Log } from '../../util/log';
import { workspaceName } from '../workspace-name';

/** Opens the history of this folder's incidents. @param days for how many days incidents are kept */
export function openIncidents(
  { extensionUri, globalStorageUri }: vscode.ExtensionContext,
  days: () => number,
  log: Log,
): Promise<IncidentStore> {
  return openStore({
    // Not storageUri: a second window on the same folder gets another one, and the two must share what they know.
    folder: join(globalStorageUri.fsPath, 'incidents', workspaceName()),
    wasm: join(extensionUri.fsPath, 'dist/sql-wasm.wasm'),
    clock: systemClock,
    window: vscode.env.sessionId,
    log,
    days,
  });
}
