import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import type { AgentId, InboxMessage } from '../../../core/model';
import { inboxFolder, prepareInbox, unstuckFolder } from '../../inbox/folder';
import { recordedRoots } from '../../inbox/hook/hook-folder';
import { logHook } from '../../inbox/hook/hook-log';
import { takeFromAll } from '../../inbox/messages/take-all';
import { inboxRoots } from '../../inbox/root';

/** Milliseconds for which the recorded folders are cached. */
const ROOTS_KNOWN_FOR = 2_000;

export interface PluginPlace {
  readonly agent: AgentId;
  /** Folder of the extension's storage with the recorded workspace folders (src/agents/inbox/hook/hook-folder.ts). */
  readonly hookFolder: string;
  /** Folder in which the agent works. */
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type Choose = (waiting: readonly InboxMessage[]) => readonly InboxMessage[];

/** The inboxes of an agent's sessions, for code that runs inside the agent. If nothing waits, a check costs one reading of a folder. */
export interface PluginInbox {
  /** Takes waiting messages for this agent. */
  readonly take: (session: string, event: string, choose: Choose) => Promise<readonly InboxMessage[]>;
  /** Calls `woken` whenever a message is written for the session. Can be repeated. */
  readonly follow: (session: string, woken: () => Promise<void>) => Promise<void>;
  /** Does work that must not break the agent: anything it throws is logged. */
  readonly safely: (event: string, work: () => Promise<void>) => Promise<void>;
  /** Stops following all sessions. */
  readonly close: () => void;
}

export function createPluginInbox({ agent, hookFolder, directory, now }: PluginPlace): PluginInbox {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number | undefined }>();
  let roots: readonly string[] = [];
  let rootsAt = Number.NEGATIVE_INFINITY;

  const log = (line: string): void => logHook(hookFolder, now(), `${agent} ${line}`);

  const knownRoots = async (): Promise<readonly string[]> => {
    if (now() - rootsAt < ROOTS_KNOWN_FOR) return roots;
    roots = inboxRoots(await recordedRoots(hookFolder), directory);
    rootsAt = now();
    return roots;
  };

  const safely = async (event: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log(`${event}: ${error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'failed'}`);
    }
  };

  return {
    safely,
    async take(session, event, choose) {
      return takeFromAll({
        roots: (await knownRoots()).filter((root) => anyWaits(root, session)),
        sessions: [session],
        now: now(),
        by: `plugin:${event}`,
        choose: (waiting) => choose(waiting.filter((message) => message.agent === agent)),
        log: (line) => log(`${event}: ${line}`),
      });
    },
    async follow(session, woken) {
      for (const root of await knownRoots()) {
        const folder = inboxFolder(root, session);
        if (!statSync(unstuckFolder(root), { throwIfNoEntry: false })?.isDirectory()) continue;
        // A window removes an inbox that was empty for a week, and a watch does not move on to the folder that takes its place.
        const before = watchers.get(folder.path);
        if (before && before.inode === inodeOf(folder.path)) continue;
        if (!(await prepareInbox(folder)).ok || watchers.get(folder.path) !== before) continue;
        before?.watcher.close();
        const watcher = watch(folder.path, { persistent: false }, (_kind, name) => {
          if (name === 'wake' || name === null) void safely('wake', woken);
        });
        watcher.on('error', () => watcher.close());
        watchers.set(folder.path, { watcher, inode: inodeOf(folder.path) });
      }
    },
    close() {
      for (const { watcher } of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function inodeOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.ino;
}

/** Returns whether the inbox contains any file. This is the only check made at each call. */
function anyWaits(root: string, session: string): boolean {
  try {
    return readdirSync(inboxFolder(root, session).new).length > 0;
  } catch {
    return false;
  }
}
