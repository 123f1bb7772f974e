import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { systemCheckpointFiles } from '../../recover/checkpoint/system-files';
import { systemProbe } from '../../engine/follow/probe';
import { systemProcesses } from '../../base/processes/system';
import { systemClock } from '../../base/clock';
import { Recovery } from '../../recover/act/service';
import { inboxRoot, supervisorOf } from '../../agents/inbox';
import type { Configuration } from '../settings/configuration';
import type { Chats } from '../chat/chats';
import type { Routes } from '../nudges/routes';
import type { Services } from '../services';
import type { AgentTerminals } from './agent-terminals';
import type { BeforeCache } from './before';

/** Recovery over the editor's trust and settings. */
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
    chats,
    newSession: randomUUID,
    before: (incident) => before.of(incident),
  });
}
