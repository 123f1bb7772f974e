import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { registry } from '../../agents/registry';
import { resolveOptions } from '../../detect/session/options';
import { Engine } from '../../engine/engine';
import { workspaceMail } from '../../engine/inbox-mail';
import { systemClock } from '../../engine/ports';
import { readSmall, systemProbe } from '../../engine/follow/probe';
import type { AgentView, Incident } from '../../model';
import { createTail, type WatchFailure } from '../../tail';
import type { Log } from '../../util/log';
import { signsInLine } from '../../util/showable';
import { keepHistory } from '../../engine/history/keep';
import { readArguments } from '../arguments';
import { openHistoryToKeep } from '../history';
import { type Output, UsageError } from '../output';
import { incidentRecord, stateWords, waitRecord } from '../scan-record';
import { sqlite } from '../sqlite';
import { readPreset, readSettings } from '../thresholds';

/** `watch <folder>`: states and incidents of the folder's agents as they come, until stopped. */
export async function watchCommand(args: readonly string[], output: Output, stopped: Promise<void>): Promise<number> {
  const { values, positionals } = readArguments('watch', args, {
    preset: { type: 'string' },
    set: { type: 'string', multiple: true },
    store: { type: 'string' },
    json: { type: 'boolean' },
    verbose: { type: 'boolean' },
  });
  const folder = resolve(positionals[0] ?? '.');
  if (positionals.length > 1) throw new UsageError('usage', 'unstuck watch: name one folder.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError('unreadable', `unstuck watch: ${folder} is not a folder that can be read.`);
  }
  const preset = readPreset('watch', values.preset);
  const thresholds = readSettings('watch', values.set ?? []);
  const log = noteLog(output, values.verbose === true);
  const store = values.store === undefined ? null : await openHistoryToKeep('watch', values.store, log);
  const tail = createTail({ log });
  const engine = new Engine(
    {
      adapters: registry,
      environment: { home: homedir(), env: process.env, platform: process.platform },
      probe: systemProbe,
      tail,
      clock: systemClock,
      log,
      mail: workspaceMail(
        () => [folder],
        () => systemClock.now(),
        log,
        // A person named the folder.
        () => true,
      ),
      stored: (id) => store?.adopt(id),
      storedOf: (session) => store?.current().filter((incident) => incident.session === session) ?? [],
      readSmall,
      sqlite,
    },
    {
      folders: [folder],
      walksFolders: true,
      maxAgeMs: 24 * 3_600_000,
      // Skip older incidents.
      historyMs: 0,
      disabled: new Set(),
      detectors: (agent) => resolveOptions(preset, thresholds, agent),
    },
  );
  const states = new Map<string, string>();
  engine.onDidChange((keys) => {
    for (const key of keys) {
      const view = engine.agent(key);
      if (!view) continue;
      const state = stateWords(view.state);
      if (states.get(key) === state) continue;
      states.set(key, state);
      output.line(values.json ? JSON.stringify(stateRecord(view)) : stateLine(view));
    }
  });
  engine.onDidChangeIncident(({ incident, before }) => {
    const raised =
      before === null || (before.stuckAt === null && incident.stuckAt !== null) || before.state !== incident.state;
    if (!raised) return;
    output.line(
      values.json
        ? JSON.stringify({ ...incidentRecord(incident.file, incident), state: incident.state })
        : incidentLine(incident),
    );
  });
  const keeping = store && keepHistory({ engine, store, log });
  engine.onDidFailWatching((failure) => {
    if (failure) output.note(watchFailureNote(failure));
  });
  engine.start();
  await stopped;
  engine.dispose();
  tail.dispose();
  keeping?.dispose();
  await store?.close();
  return 0;
}

function stateRecord(view: AgentView) {
  return {
    kind: 'state' as const,
    t: new Date().toISOString(),
    agent: view.agent,
    session: view.session,
    title: view.title,
    file: view.file,
    state: view.state.kind,
    ...waitRecord(view.state),
    ended: view.state.ended ?? null,
  };
}

/** What is said once when the system refuses to watch folders, and what helps. */
function watchFailureNote({ code, polled }: WatchFailure): string {
  if (code === 'LIMIT') return 'There are more folders than are watched. The others are looked into by turns.';
  const found = `The system refuses to watch (${code}), so ${polled} folders are looked at every 2 s.`;
  if (code === 'ENOSPC') return `${found} To watch again, raise fs.inotify.max_user_watches.`;
  return code === 'EMFILE' ? `${found} To watch again, raise fs.inotify.max_user_instances or ulimit -n.` : found;
}

function stateLine(view: AgentView): string {
  return `${new Date().toISOString()}  ${view.agentName}  ${signsInLine(view.title)}: ${stateWords(view.state)}`;
}

function incidentLine(incident: Incident): string {
  return `${new Date(incident.updatedAt).toISOString()}  ${incident.level} ${incident.detector} (${incident.state}), line ${incident.alertLine}: ${signsInLine(incident.why)}`;
}

function noteLog(output: Output, verbose: boolean): Log {
  const note = (message: string) => output.note(message);
  const quiet = () => {};
  return { debug: quiet, info: verbose ? note : quiet, warn: note, error: note };
}
