import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { keepScanned } from '../../engine/history/keep';
import type { EarlierTranscript } from '../../engine/follow/discovery';
import type { Candidate } from '../../base/tail';
import type { AgentId, DetectorId, DetectorOptions } from '../../core/model';
import { Emitter } from '../../base/util/emitter';
import type { AgentPorts } from '../agent-ports';
import type { Services } from '../services';

const KEY = 'unstuck.lookedAt';
const SINCE_KEY = 'unstuck.historySince';
/** Transcripts larger than this are not read for the history automatically; `scan` reads them. */
const LARGEST = 64 * 1024 * 1024;
/** Maximum number of these folders' transcripts that are read, newest first: as far as a person looks back. `unstuck scan --store` reads the rest. */
const MOST = 60;
/** Maximum number of heads that are read to find them, since a file's place need not show whose it is. */
const MOST_HEADS = 1_000;
const HEADS_AT_ONCE = 100;
const REMEMBERED = 20_000;
/** Pause between two files: the history is read in idle time. */
const REST_MS = 50;

/** Extent to which the past of these folders was read. */
interface ReadSince {
  readonly folders: string;
  /** Milliseconds since the epoch: older files are not read. */
  readonly at: number;
}

/**
 * Reads the newest transcripts of this folder that ended before the age rule, once each, so that their incidents are in the history. They never
 * notify.
 */
export class EarlierSessions implements vscode.Disposable {
  private stopped = false;
  private readonly ended = new Emitter<void>();
  /** Fires when the past was read and its incidents are in the history. */
  readonly onDidRead = this.ended.event;
  read = 0;
  withIncidents = 0;

  constructor(
    private readonly services: Services,
    private readonly detectors: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>,
    private readonly scan: AgentPorts['scan'],
  ) {}

  /** Reads some heads at a time, from new to old, and notes what was done. A window that closes early leaves the rest to the next one. */
  async run(): Promise<void> {
    const { engine, context } = this.services;
    const known = new Set(context.workspaceState.get<string[]>(KEY, []));
    const folders = this.services.folders().join('\n');
    const noted = context.workspaceState.get<ReadSince>(SINCE_KEY);
    const since = noted?.folders === folders ? noted.at : 0;
    // Every file is checked before each round: for 3,000 files, computing the names alone cost 0.8 s of a first start.
    const names = new Map<string, readonly string[]>();
    const isKnown = (file: Pick<Candidate, 'path' | 'size' | 'modifiedAt'>): boolean => {
      if (file.modifiedAt < since) return true;
      const key = `${file.size}:${file.path}`;
      const both = names.get(key) ?? [nameOf({ ...file, file: file.path }), nameElsewhere(file, folders)];
      names.set(key, both);
      return both.some((name) => known.has(name));
    };
    const tried = new Set<string>();
    let reached = Number.POSITIVE_INFINITY;
    let hasRead = false;
    for (let heads = 0; heads < MOST_HEADS && tried.size < MOST && !this.stopped; heads += HEADS_AT_ONCE) {
      const before = known.size;
      const { transcripts, elsewhere } = await engine.earlierTranscripts(isKnown, HEADS_AT_ONCE);
      for (const file of elsewhere) known.add(nameElsewhere(file, folders));
      const unread = transcripts
        .filter((one) => !known.has(nameOf(one)) && !tried.has(one.file) && one.size <= LARGEST)
        .sort((a, b) => b.modifiedAt - a.modifiedAt);
      const todo = unread.slice(0, MOST - tried.size);
      for (const one of todo) {
        if (this.stopped) return;
        tried.add(one.file);
        if (await this.take(one)) known.add(nameOf(one));
        await new Promise((rest) => setTimeout(rest, REST_MS));
      }
      // Files older than the last one read are skipped from now on, even if their heads were looked at: otherwise the next start would read them.
      const looked = todo.length < unread.length ? todo : [...todo, ...elsewhere];
      reached = Math.min(reached, ...looked.map(({ modifiedAt }) => modifiedAt));
      if (known.size === before) break;
      hasRead = true;
      await context.workspaceState.update(KEY, [...known].slice(-REMEMBERED));
    }
    if (!hasRead || this.stopped) return;
    if (since === 0) await context.workspaceState.update(SINCE_KEY, { folders, at: reached } satisfies ReadSince);
    this.ended.fire();
  }

  /** Reads one transcript into the history. Returns false if it could not be read. */
  private async take(one: EarlierTranscript): Promise<boolean> {
    const { store, log } = this.services;
    try {
      const { adapter, file, sessions: only } = one;
      const { sessions } = await this.scan(file, { adapter, detectors: this.detectors, ...(only && { only }) });
      for (const session of sessions) await keepScanned(store, session);
      this.read++;
      if (sessions.some(({ incidents }) => incidents.length > 0)) this.withIncidents++;
      return true;
    } catch (error) {
      log.warn(`${one.file} could not be read for the history: ${String(error)}`);
      return false;
    }
  }

  dispose(): void {
    this.stopped = true;
    this.ended.dispose();
  }
}

/** Names a transcript. One that was written to since gets another name. */
function nameOf({
  file,
  size,
  modifiedAt,
  sessions,
}: Pick<EarlierTranscript, 'file' | 'size'> & Partial<EarlierTranscript>): string {
  return short(sessions ? `${sessions.size}:${modifiedAt}:${file}` : `${size}:${file}`);
}

/** Names a transcript that belongs to none of these folders. */
function nameElsewhere({ path, size }: { readonly path: string; readonly size: number }, folders: string): string {
  return short(`${size}:${path}\n${folders}`);
}

/** Shortens a name, since thousands of them are remembered. */
function short(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 12);
}
