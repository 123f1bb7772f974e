import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import type { AgentAdapter } from '../../agents/adapter';
import { registry } from '../../agents/registry';
import { resolveOptions } from '../../detect/session/options';
import { readSmall } from '../../engine/follow/probe';
import { readSmallNearby } from '../../engine/scan';
import { scanAll } from '../../engine/scan-all';
import { openTranscriptCache } from '../../engine/transcript-cache';
import { PRESETS, type Preset } from '../../core/model';
import { createTail } from '../../base/tail';
import { silentLog } from '../../base/util/log';
import { readArguments } from '../arguments';
import { type Alarm, alarmRecord, alarmsOf, explanationRecord, printAlarms, printExplanation } from './backtest-alarms';
import { type BacktestCount, type Fired, backtestRows, countFired, printBacktest } from './backtest';
import { filesBelow } from '../files-below';
import { type FoundTranscript, type UnreadFile, findTranscripts, nothingRead, oncePerSession } from '../find';
import { type Output, UsageError, shortCount } from '../output';
import { type Piped, piped } from '../piped';
import { progressBar } from '../progress';
import { sqlite } from '../sqlite';
import { readAgent, readPreset, parseSettings } from '../thresholds';

const DAY_MS = 86_400_000;
/** Number of days of this machine's transcripts that are read when neither paths nor days are given. */
const DAYS = 30;

/**
 * `backtest [file or folder]…`: reports how often each detector and threshold would have fired on existing transcripts, and lists each alarm that the
 * first preset would have raised. `--explain ID` shows one of these alarms with its evidence.
 */
export async function backtestCommand(args: readonly string[], output: Output, input: Readable): Promise<number> {
  const { values, positionals } = readArguments('backtest', args, {
    days: { type: 'string' },
    preset: { type: 'string', multiple: true },
    set: { type: 'string', multiple: true },
    agent: { type: 'string' },
    explain: { type: 'string' },
    json: { type: 'boolean' },
  });
  const given = (values.preset ?? []).map((preset) => readPreset('backtest', preset));
  const [listed = readPreset('backtest', undefined)] = given;
  const { explain } = values;
  const all: readonly Preset[] = given.length > 0 ? [...new Set(given)] : PRESETS;
  const presets = explain === undefined ? all : [listed];
  const settings = parseSettings('backtest', values.set ?? []);
  const agent = readAgent('backtest', values.agent);
  const days = readDays(values.days) ?? (positionals.length === 0 ? DAYS : null);
  const since = days === null ? Number.NEGATIVE_INFINITY : Date.now() - days * DAY_MS;
  const adapters = agent ? registry.filter((adapter) => adapter.id === agent) : registry;
  const from = await piped('backtest', positionals, input);
  try {
    const json = values.json === true;
    return await run({ from, adapters, presets, listed, settings, explain, days, since, json }, output);
  } finally {
    from.remove();
  }
}

/** Arguments of a backtest. */
interface BacktestRequest {
  readonly from: Piped;
  readonly adapters: readonly AgentAdapter[];
  readonly presets: readonly Preset[];
  /** The preset whose alarms are listed. */
  readonly listed: Preset;
  readonly settings: ReturnType<typeof parseSettings>;
  /** The alarm to explain. */
  readonly explain: string | undefined;
  readonly days: number | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly json: boolean;
}

async function run(request: BacktestRequest, output: Output): Promise<number> {
  const { from, adapters, presets, listed, settings, explain, days, since, json } = request;
  const { found, unread } =
    from.paths.length > 0 ? findTranscripts('backtest', from.paths, adapters) : await onThisMachine(adapters);
  const recent = found.filter(({ file }) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since);
  const started = performance.now();
  const size = recent.reduce((sum, file) => sum + file.size, 0);
  const bar = progressBar(output, size * presets.length, json);
  const cache = openTranscriptCache(process.env, process.platform, homedir(), true);
  const counts: BacktestCount[] = [];
  const alarms: Alarm[] = [];
  let seen = { files: 0, bytes: 0, events: 0, sessions: 0, actions: 0 };
  for (const [index, preset] of presets.entries()) {
    const fired = new Map<string, Fired>();
    seen = { files: 0, bytes: 0, events: 0, sessions: 0, actions: 0 };
    const scans = scanAll(recent, {
      detectors: (id) => resolveOptions({ preset, ...settings }, id),
      context: ({ file }) => ({ readSmall: readSmallNearby(file, readSmall), sqlite }),
      ...(cache && { cache }),
      onProgress: (done) => bar.at(size * index + done),
    });
    for await (const result of scans) {
      if ('why' in result) {
        if (index === 0) unread.push({ file: result.one.file, why: result.why });
        continue;
      }
      const { bytes, events, sessions } = result.scanned;
      const actions = sessions.reduce((sum, session) => sum + session.actions, 0);
      seen = {
        files: seen.files + 1,
        bytes: seen.bytes + bytes,
        events: seen.events + events,
        sessions: seen.sessions + sessions.length,
        actions: seen.actions + actions,
      };
      for (const session of sessions) {
        countFired(fired, session, since);
        if (preset === listed) alarms.push(...alarmsOf(from.named(result.one.file), session, preset, since));
      }
    }
    counts.push({ preset, options: resolveOptions({ preset, ...settings }), fired });
  }
  bar.clear();
  if (seen.files === 0) throw nothingRead('backtest', unread, from.named, `no transcript was found${ofDays(days)}.`);
  for (const one of unread) output.note(`${from.named(one.file)}: ${one.why}`);
  if (explain !== undefined) {
    explainOne(output, alarms, explain, json);
    return 0;
  }
  const seconds = Math.round(performance.now() - started) / 1000;
  if (json) {
    for (const row of backtestRows(counts, seen.actions)) output.line(JSON.stringify(row));
    for (const alarm of alarms) output.line(JSON.stringify(alarmRecord(alarm)));
    output.line(JSON.stringify({ kind: 'total', ...seen, days, presets, seconds }));
  } else {
    printBacktest(output, counts, seen.actions);
    printAlarms(output, alarms, listed);
    output.line(
      `${seen.files} ${seen.files === 1 ? 'transcript' : 'transcripts'}${ofDays(days)}, ${seen.sessions} ${seen.sessions === 1 ? 'session' : 'sessions'}, ${shortCount(seen.actions)} steps, ${shortCount(seen.bytes)} bytes in ${seconds.toFixed(1)} s`,
    );
  }
  return 0;
}

function explainOne(output: Output, alarms: readonly Alarm[], id: string, json: boolean): void {
  const alarm = alarms.find(({ incident }) => incident.id === id.toUpperCase());
  if (!alarm) {
    const why = `there is no alarm ${id}. Use the same paths and options as when it was listed.`;
    throw new UsageError('usage', `unstuck backtest: ${why}`);
  }
  if (json) output.line(JSON.stringify(explanationRecord(alarm)));
  else printExplanation(output, alarm);
}

function ofDays(days: number | null): string {
  return days === null ? '' : days === 1 ? ' of the last day' : ` of the last ${days} days`;
}

function readDays(text: string | undefined): number | null {
  if (text === undefined) return null;
  const days = Number(text);
  if (Number.isFinite(days) && days > 0) return days;
  throw new UsageError('usage', `unstuck backtest: --days must be a number of days above 0, not "${text}".`);
}

/** Returns the transcripts in the stores of all agents. */
async function onThisMachine(
  adapters: readonly AgentAdapter[],
): Promise<{ found: FoundTranscript[]; unread: UnreadFile[] }> {
  const environment = { home: homedir(), env: process.env, platform: process.platform };
  const tail = createTail({ log: silentLog, folderLimit: Number.POSITIVE_INFINITY });
  const found: FoundTranscript[] = [];
  for (const adapter of adapters)
    for (const root of adapter.locate(environment))
      for (const { path, size } of await filesBelow(tail, root)) found.push({ file: path, size, adapter });
  tail.dispose();
  return { found: oncePerSession(found), unread: [] };
}
