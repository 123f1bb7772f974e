import { registry } from '../agents/registry';
import { resolveOptions } from '../detect/options';
import { readSmall } from '../engine/probe';
import { readSmallBeside, scanFile } from '../engine/scan';
import type { Incident } from '../model';
import { readArguments, readTime } from './arguments';
import { type Found, findTranscripts, shown } from './find';
import { type Output, UsageError, count, printable } from './output';
import { progressBar } from './progress';
import { fileRecord, incidentRecord, totalRecord } from './scan-record';
import { readAgent, readPreset, readSettings } from './thresholds';

/** `scan <file or folder>…`: all detectors over existing transcripts as if live. Returns the exit code. */
export async function scanCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readArguments('scan', args, {
    agent: { type: 'string' },
    preset: { type: 'string' },
    set: { type: 'string', multiple: true },
    now: { type: 'string' },
    json: { type: 'boolean' },
    'fail-on-stuck': { type: 'boolean' },
    why: { type: 'boolean' },
  });
  if (positionals.length === 0)
    throw new UsageError('usage', "unstuck scan: name a file or a folder. See 'unstuck help'.");
  const preset = readPreset('scan', values.preset);
  const settings = readSettings('scan', values.set ?? []);
  const agent = readAgent('scan', values.agent);
  const now = values.now === undefined ? undefined : readTime('scan', values.now);
  const adapters = agent ? registry.filter((adapter) => adapter.id === agent) : registry;

  const { found, unread } = await findTranscripts('scan', positionals, adapters);
  const started = performance.now();
  const bar = progressBar(
    output,
    found.reduce((sum, file) => sum + file.size, 0),
    values.json === true,
  );
  let bytes = 0;
  let events = 0;
  let stuck = 0;
  let read = 0;
  for (const file of found) {
    const scanned = await scanFile(file.file, {
      adapter: file.adapter,
      detectors: (id) => resolveOptions(preset, settings, id),
      readSmall: readSmallBeside(file.file, readSmall),
      onProgress: (done) => bar.at(bytes + done),
      ...(now !== undefined && { now }),
    }).catch((error: unknown) => {
      unread.push({ file: file.file, why: error instanceof Error ? error.message : String(error) });
      return undefined;
    });
    if (!scanned) continue;
    read++;
    bytes += scanned.bytes;
    events += scanned.events;
    bar.at(bytes);
    const incidents = scanned.sessions
      .flatMap((session) => session.incidents)
      .sort((a, b) => a.alertLine - b.alertLine);
    stuck += incidents.filter((incident) => incident.level === 'stuck').length;
    if (values.json) {
      for (const incident of incidents) output.line(JSON.stringify(incidentRecord(scanned.file, incident)));
      if (scanned.sessions.length === 0) output.line(JSON.stringify(fileRecord(scanned, null)));
      for (const session of scanned.sessions) output.line(JSON.stringify(fileRecord(scanned, session)));
    } else {
      bar.clear();
      for (const session of scanned.sessions) printSession(output, file, session, values.why === true);
      if (scanned.sessions.length === 0)
        output.line(`${shown(file.file, process.cwd())}: no session found, ${scanned.orphans.length} lines skipped`);
    }
  }
  bar.clear();
  for (const one of unread) output.note(`${one.file}: ${one.why}`);
  const seconds = (performance.now() - started) / 1000;
  if (values.json) output.line(JSON.stringify(totalRecord(read, bytes, events, seconds)));
  else
    output.line(
      `${read} ${read === 1 ? 'transcript' : 'transcripts'}, ${count(events)} events, ${count(bytes)} bytes in ${seconds.toFixed(1)} s`,
    );
  if (read === 0) throw new UsageError('unreadable', 'unstuck scan: no transcript of a known agent was found there.');
  return values['fail-on-stuck'] && stuck > 0 ? 1 : 0;
}

function printSession(
  output: Output,
  file: Found,
  session: Awaited<ReturnType<typeof scanFile>>['sessions'][number],
  why: boolean,
): void {
  const skipped = session.skipped.length > 0 ? `, ${session.skipped.length} lines skipped` : '';
  const state =
    session.state.kind +
    (session.ended ? ` (${session.ended})` : session.state.waitingFor ? ` (${session.state.waitingFor})` : '');
  output.line(
    `${shown(file.file, process.cwd())}  ${session.agentName}  ${session.actions} of ${session.callMarkers} steps seen${skipped}  ${state}`,
  );
  if (session.title !== session.agentName) output.line(`  ${printable(session.title)}`);
  for (const incident of session.incidents) printIncident(output, incident);
  for (const problem of session.skipped.slice(0, 5))
    output.line(`  line ${problem.line} skipped: ${printable(problem.why)}`);
  if (!why) return;
  for (const near of session.nearMisses) {
    output.line(
      `  not ${near.detector}: ${printable(near.nearest)}, ${near.reached} of ${near.limit}${near.heldBackBy ? `; ${near.heldBackBy}` : ''}`,
    );
  }
}

function printIncident(output: Output, incident: Incident): void {
  const end = incident.resolvedLine === null ? 'still open' : `cleared at line ${incident.resolvedLine}`;
  const stuck = incident.stuckLine === null ? '' : `, stuck at line ${incident.stuckLine}`;
  output.line(
    `  ${incident.level.padEnd(5)} ${incident.detector}${incident.rule ? `/${incident.rule}` : ''}  warned at line ${incident.alertLine}${stuck}, ${end}  (${incident.certainty}, ${incident.confidence.toFixed(2)})`,
  );
  output.line(`        ${printable(incident.why)}`);
}
