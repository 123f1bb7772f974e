import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { workspaceMail } from '../../engine/inbox-mail';
import { systemClock } from '../../base/clock';
import type { AgentView, Incident } from '../../core/model';
import { signsInLine } from '../../base/util/showable';
import { keepHistory } from '../../engine/history/keep';
import { readArguments } from '../arguments';
import { COUNTING_OPTIONS, countWhatIsWanted, type LoadCounting, readCounting } from '../load-metrics';
import { headlessEngine, noteLog, watchFailureNote } from '../headless';
import { openHistoryToKeep } from '../history';
import { type Output, UsageError } from '../output';
import { incidentRecord, stateWords, waitRecord } from '../scan-record';
import { readPreset, parseSettings } from '../thresholds';

/** `watch <folder>`: prints states and incidents of the folder's agents as they happen, until stopped. */
export async function watchCommand(
  args: readonly string[],
  output: Output,
  stopped: Promise<void>,
  loadCounting: LoadCounting,
): Promise<number> {
  const { values, positionals } = readArguments('watch', args, {
    preset: { type: 'string' },
    set: { type: 'string', multiple: true },
    store: { type: 'string' },
    ...COUNTING_OPTIONS,
    json: { type: 'boolean' },
    verbose: { type: 'boolean' },
  });
  const folder = resolve(positionals[0] ?? '.');
  if (positionals.length > 1) throw new UsageError('usage', 'unstuck watch: name one folder.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError('unreadable', `unstuck watch: ${folder} is not a readable folder.`);
  }
  const preset = readPreset('watch', values.preset);
  const thresholds = parseSettings('watch', values.set ?? []);
  const wanted = readCounting('watch', values);
  const log = noteLog(output, values.verbose === true);
  const store = values.store === undefined ? null : await openHistoryToKeep('watch', values.store, log);
  const { engine, dispose } = headlessEngine({
    folders: [folder],
    walksFolders: true,
    preset,
    thresholds,
    mail: workspaceMail(
      () => [folder],
      () => systemClock.now(),
      log,
      // The folder counts as trusted, since a person named it.
      () => true,
    ),
    log,
    store,
  });
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
  try {
    const parts = { clock: systemClock, output, loadCounting };
    const counting = wanted && (await countWhatIsWanted('watch', engine, wanted, parts));
    engine.start();
    await stopped;
    await counting?.stop();
  } finally {
    dispose();
    keeping?.dispose();
    await store?.close();
  }
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

function stateLine(view: AgentView): string {
  return `${new Date().toISOString()}  ${view.agentName}  ${signsInLine(view.title)}: ${stateWords(view.state)}`;
}

function incidentLine(incident: Incident): string {
  return `${new Date(incident.updatedAt).toISOString()}  ${incident.level} ${incident.detector} (${incident.state}), line ${incident.alertLine}: ${signsInLine(incident.why)}`;
}
