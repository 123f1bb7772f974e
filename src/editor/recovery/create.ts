import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemCheckpointFiles } from '../../recover/checkpoint/system-files';
import { systemProbe } from '../../engine/follow/probe';
import { programPath } from '../../base/files';
import { programOfShell } from '../../base/processes/shell-program';
import { systemProcesses } from '../../base/processes/system';
import { isWithin } from '../../base/util/program-path';
import { systemClock } from '../../base/clock';
import { Recovery } from '../../recover/act/service';
import { inboxRoot, supervisorOf } from '../../agents/inbox';
import type { Configuration } from '../settings/configuration';
import type { Chats } from '../chat/chats';
import type { Routes } from '../nudges/routes';
import type { Services } from '../services';
import type { AgentTerminals } from './agent-terminals';
import type { BeforeCache } from './before';

/**
 * Returns the absolute path of a program, from the person's shell, otherwise from the editor's own `PATH`, never in the workspace. Null if neither
 * has it.
 */
export async function findProgram(name: string, folders: () => readonly string[]): Promise<string | null> {
  // Scripts (`.cmd`) are programs only to a terminal of Windows.
  if (process.platform === 'win32') return name;
  const shell = process.env['SHELL'] ?? userInfo().shell ?? '/bin/sh';
  const found = await programOfShell(name, { shell, platform: process.platform, processes: systemProcesses(folders) });
  const isOutside = found !== null && !folders().some((folder) => isWithin(found, folder, path));
  return isOutside ? found : programPath(name, folders());
}

/** Builds the recovery over the editor's trust and settings. */
export function createRecovery(
  services: Services,
  configuration: Configuration,
  routes: Routes,
  terminals: AgentTerminals,
  chats: Chats,
  before: Pick<BeforeCache, 'of'>,
): Recovery {
  const { engine, store, folders, log } = services;
  return new Recovery({
    engine,
    store,
    clock: systemClock,
    log,
    processes: systemProcesses(folders),
    files: systemCheckpointFiles,
    folders,
    settings: () => configuration.recovery,
    trusted: () => vscode.workspace.isTrusted,
    takes: (view) => routes.kindsTaken(view),
    supervised: ({ cwd, session }) => {
      const root = cwd === undefined ? null : inboxRoot(folders(), cwd);
      return root !== null && supervisorOf(root, session, systemProbe) !== null;
    },
    terminals: { isHere: (view) => terminals.isHere(view), end: (view) => terminals.end(view) },
    findProgram: (program) => findProgram(program, folders),
    chats,
    newSession: randomUUID,
    before: (incident) => before.of(incident),
  });
}
