import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { registry } from '../../agents/registry';
import { resolveOptions } from '../../detect/session/options';
import { readSmall } from '../../engine/follow/probe';
import { readSmallNearby, type ScannedFile } from '../../engine/scan';
import { scanAll } from '../../engine/scan-all';
import { openTranscriptCache } from '../../engine/transcript-cache';
import { keepScanned } from '../../engine/history/keep';
import type { AgentId } from '../../core/model';
import type { IncidentStore } from '../../history';
import { silentLog } from '../../base/util/log';
import { readArguments, readTime } from '../arguments';
import { findTranscripts, nothingRead, shown } from '../find';
import { openHistoryToKeep } from '../history';
import { type Output, UsageError, shortCount } from '../output';
import { piped } from '../piped';
import { progressBar } from '../progress';
import { printScanned } from '../scan-print';
import { fileRecord, incidentRecord, nearMissRecord, totalRecord, unknownFileRecord, whyNothing } from '../scan-record';
import { sqlite } from '../sqlite';
import { readAgent, readPreset, parseSettings } from '../thresholds';

/** Exit code that shells report for a program ended by Ctrl+C. */
const STOPPED = 130;

/** `scan <file or folder>…`: runs all detectors over existing transcripts as if they were live. Returns the exit code. */
export async function scanCommand(
  args: readonly string[],
  output: Output,
  input: Readable,
  stopped: Promise<void>,
): Promise<number> {
  const { values, positionals } = readArguments('scan', args, {
    agent: { type: 'string' },
    preset: { type: 'string' },
    set: { type: 'string', multiple: true },
    now: { type: 'string' },
    store: { type: 'string' },
    json: { type: 'boolean' },
    'fail-on-stuck': { type: 'boolean' },
    why: { type: 'boolean' },
  });
  if (positionals.length === 0)
    throw new UsageError('usage', "unstuck scan: name a file or a folder. See 'unstuck scan --help'.");
  const preset = readPreset('scan', values.preset);
  const settings = parseSettings('scan', values.set ?? []);
  const agent = readAgent('scan', values.agent);
  const now = values.now === undefined ? undefined : readTime('scan', values.now);
  const adapters = agent ? registry.filter((adapter) => adapter.id === agent) : registry;
  const from = await piped('scan', positionals, input);
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  let store: IncidentStore | null = null;
  try {
    const { found, unread } = findTranscripts('scan', from.paths, adapters);
    store = values.store === undefined ? null : await openHistoryToKeep('scan', values.store, silentLog);
    const started = performance.now();
    const size = found.reduce((sum, file) => sum + file.size, 0);
    const bar = progressBar(output, size, values.json === true);
    let bytes = 0;
    let events = 0;
    let stuck = 0;
    let read = 0;
    const limits = new Map<AgentId, ReturnType<typeof resolveOptions>>();
    const limitsOf = (id: AgentId) => {
      const known = limits.get(id) ?? resolveOptions({ preset, ...settings }, id);
      limits.set(id, known);
      return known;
    };
    const cache = openTranscriptCache(process.env, process.platform, homedir(), true);
    const all = scanAll(found, {
      detectors: limitsOf,
      context: ({ file }) => ({ readSmall: readSmallNearby(file, readSmall), sqlite }),
      ...(cache && { cache }),
      onProgress: (done) => bar.at(done),
      signal: stop.signal,
      ...(now !== undefined && { now }),
    });
    for await (const result of all) {
      if ('why' in result) {
        unread.push({ file: result.one.file, why: result.why });
        continue;
      }
      const { scanned } = result;
      if (store) for (const session of scanned.sessions) await keepScanned(store, session);
      read++;
      bytes += scanned.bytes;
      events += scanned.events;
      stuck += incidentsOf(scanned).filter((incident) => incident.level === 'stuck').length;
      if (values.json) {
        const named = { ...scanned, file: from.named(scanned.file) };
        for (const record of records(named, values.why === true)) output.line(JSON.stringify(record));
        continue;
      }
      bar.clear();
      const file = shown(from.named(scanned.file), process.cwd());
      for (const session of scanned.sessions) printScanned(output, file, session, values.why === true);
      if (scanned.sessions.length === 0)
        output.line(`${file}: no session found, ${scanned.orphans.length} lines skipped (${whyNothing(scanned)})`);
    }
    bar.clear();
    if (stop.signal.aborted) {
      output.note(`unstuck scan: stopped; ${read} of ${found.length} transcripts were reported.`);
      return STOPPED;
    }
    await store?.compact();
    for (const { file, why } of unread) {
      if (values.json) output.line(JSON.stringify(unknownFileRecord(from.named(file), why)));
      if (read > 0) output.note(`${from.named(file)}: ${why}`);
    }
    const seconds = (performance.now() - started) / 1000;
    if (values.json) output.line(JSON.stringify(totalRecord(read, bytes, events, seconds)));
    if (read === 0) throw nothingRead('scan', unread, from.named, 'no transcript of a known agent was found there.');
    if (!values.json)
      output.line(
        `${read} ${read === 1 ? 'transcript' : 'transcripts'}, ${shortCount(events)} events, ${shortCount(bytes)} bytes in ${seconds.toFixed(1)} s`,
      );
    return values['fail-on-stuck'] && stuck > 0 ? 1 : 0;
  } finally {
    await store?.close();
    from.remove();
  }
}

function* records(scanned: ScannedFile, why: boolean) {
  for (const incident of incidentsOf(scanned)) yield incidentRecord(scanned.file, incident);
  for (const { hints } of scanned.sessions) for (const hint of hints) yield incidentRecord(scanned.file, hint, 'hint');
  if (why)
    for (const session of scanned.sessions)
      for (const nearMiss of session.nearMisses) yield nearMissRecord(scanned, session, nearMiss);
  if (scanned.sessions.length === 0) yield fileRecord(scanned, null);
  for (const session of scanned.sessions) yield fileRecord(scanned, session);
}

function incidentsOf(scanned: ScannedFile) {
  return scanned.sessions.flatMap((session) => session.incidents).sort((a, b) => a.alertLine - b.alertLine);
}
