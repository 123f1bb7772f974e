import { homedir } from 'node:os';
import { createOpenFiles } from '../agents/open-files';
import { createProcessSearch } from '../agents/processes';
import { registry } from '../agents/registry';
import { processOfSession } from '../agents/session-process';
import { resolveOptions } from '../detect/session/options';
import { Engine } from '../engine/engine';
import { readSmall, systemProbe } from '../engine/follow/probe';
import { systemBeat } from '../base/beat';
import { systemClock } from '../base/clock';
import type { Mail } from '../engine/ports';
import type { IncidentStore } from '../history';
import { createTail, type WatchFailure } from '../base/tail';
import type { Log } from '../base/util/log';
import type { Output } from './output';
import { sqlite } from './sqlite';
import type { readPreset, parseSettings } from './thresholds';

export interface HeadlessOptions {
  readonly folders: readonly string[];
  /** True to look for transcripts in the folders themselves. */
  readonly walksFolders: boolean;
  readonly preset: ReturnType<typeof readPreset>;
  readonly thresholds: ReturnType<typeof parseSettings>;
  readonly mail: Mail;
  readonly log: Log;
  readonly store?: IncidentStore | null;
}

/** Builds the engine without an editor, over the transcripts of this machine. Transcripts older than a day are left out. */
export function headlessEngine({ folders, walksFolders, preset, thresholds, mail, log, store }: HeadlessOptions): {
  readonly engine: Engine;
  readonly dispose: () => void;
} {
  const beat = systemBeat();
  const tail = createTail({ log, beat });
  const processes = createProcessSearch(process.getuid?.(), () => systemClock.now());
  const engine = new Engine(
    {
      adapters: registry,
      environment: { home: homedir(), env: process.env, platform: process.platform },
      probe: systemProbe,
      tail,
      clock: systemClock,
      beat,
      log,
      mail,
      stored: (id) => store?.adopt(id),
      storedOf: (session) => store?.current().filter((incident) => incident.session === session) ?? [],
      readSmall,
      processOf: async (session) => processOfSession(session, await processes()),
      openFiles: createOpenFiles(),
      sqlite,
    },
    {
      folders,
      walksFolders,
      maxAgeMs: 24 * 3_600_000,
      // Skips older incidents.
      historyMs: 0,
      disabled: new Set(),
      detectors: (agent) => resolveOptions({ preset, ...thresholds }, agent),
    },
  );
  return {
    engine,
    dispose: () => {
      engine.dispose();
      tail.dispose();
    },
  };
}

/** Returns the note shown once when the system refuses to watch folders, with what helps. */
export function watchFailureNote({ code, polled }: WatchFailure): string {
  if (code === 'LIMIT') return 'There are more folders than can be watched. The others are checked periodically.';
  const found = `The system refuses to watch (${code}), so ${polled} folders are checked every 2 s.`;
  if (code === 'ENOSPC') return `${found} To watch again, raise fs.inotify.max_user_watches.`;
  return code === 'EMFILE' ? `${found} To watch again, raise fs.inotify.max_user_instances or ulimit -n.` : found;
}

export function noteLog(output: Output, verbose: boolean): Log {
  const note = (message: string) => output.note(message);
  const quiet = () => {};
  return { debug: quiet, info: verbose ? note : quiet, warn: note, error: note };
}
