import type { Clearing, Finding, Incident, ProgressMarker } from '../../core/model';
import { REOPEN_STEPS } from '../../core/rules/common';
import type { IncidentInput } from './incident-input';
import { bringsBack, staysOpen, isOfContext, ofSameSteps, describedFinding } from './same-steps';
import { type SessionIdentity, next, open } from './reducer';

/** Number of closed incidents that can still change (credit, progress) or reopen; older ones are only in the store. */
const REMEMBERED = 64;
/** Limit of the streaks that a session knows at a time. A session has a handful; each is checked at every step. */
export const MOST_INCIDENTS = 200;
/** Limit of the findings that belong to one incident; the oldest cleared ones are forgotten. */
const MOST_KEYS = 64;

export interface BookOptions {
  readonly facts: () => SessionIdentity;
  /** Returns the id of a new incident. */
  readonly id: (finding: Finding) => string;
  /** Returns whether this moment was before the window opened. */
  readonly isHistory: (at: number) => boolean;
  readonly onChange: (incident: Incident, before: Incident | null) => void;
  /** Called when a finding was left out, because the limit of open streaks is reached. Only once. */
  readonly onFull?: (finding: Finding) => void;
}

/** Number of incidents waiting for a progress marker that are noted, the newest. */
const NOTED_UNPROVEN = 8;

/** An incident that is open, can come back or waits for a progress marker, with the findings of its rules; as JSON. */
export interface NotedIncident {
  readonly incident: Incident;
  readonly keys: readonly string[];
  readonly open: readonly Finding[];
  readonly newest: Finding;
  readonly speaking: string;
  /** Number of steps since it was cleared, if it can come back. */
  readonly clearedFor?: number;
}

interface Entry {
  incident: Incident;
  /** Serial number: the newer of two incidents has the larger one. */
  readonly number: number;
  /** Keys of all findings that belong to it. */
  readonly keys: Set<string>;
  /** The newest finding under each key that has not been cleared. */
  readonly open: Map<string, Finding>;
  /** The newest finding, cleared or not. */
  newest: Finding;
  /** Key of the finding whose rule describes it. */
  speaking: string;
  clearedAtStep: number;
}

/**
 * The incidents of one session, by the keys of their findings. The only way for findings to become incidents: one set of steps is one incident,
 * whichever rules find something in it. Incidents that are over are removed, so that a step costs the same after thousands of incidents as in a
 * session without one.
 */
export class IncidentBook {
  /** Streaks that are open or can come back. */
  private readonly entries = new Set<Entry>();
  private readonly byKey = new Map<string, Entry>();
  private readonly older: Entry[] = [];
  /** Those of `entries` that are open. */
  private readonly running = new Set<Entry>();
  /** Those of `entries` and `older` that were cleared, and wait for a progress marker to become recovered. */
  private readonly unproven = new Set<Entry>();
  /** Incidents with the step at which they were cleared, in the order of steps: each is over after enough further steps. */
  private readonly leaving: { readonly entry: Entry; readonly atStep: number }[] = [];
  private opened = 0;
  private steps = 0;
  private lastProgress: ProgressMarker | null = null;
  private reportedFull = false;

  constructor(private readonly options: BookOptions) {}

  finding(finding: Finding): void {
    const known = this.byKey.get(finding.key);
    const isNotStuck = known?.incident.outcome === 'not_stuck';
    if (known?.open.has(finding.key) && !isNotStuck) return this.grow(known, finding);
    const same = ofSameSteps(finding, this.entries);
    if (same) {
      if (same !== known) this.release(finding.key);
      return this.grow(same, finding);
    }
    // A person said that these steps are no loop, so whatever only surrounds them is none either.
    if (isNotStuck && known.keys.size > 1 && isOfContext(finding)) return;
    if (known && !isNotStuck && !this.isOver(known) && bringsBack(finding, known)) return this.grow(known, finding);
    this.release(finding.key);
    if (!this.makeRoom(finding)) return;
    const incident = open(finding, this.options.facts(), this.options.id(finding), this.options.isHistory(finding.at));
    const opened: Entry = {
      incident,
      number: this.opened++,
      keys: new Set([finding.key]),
      open: new Map([[finding.key, finding]]),
      newest: finding,
      speaking: finding.key,
      clearedAtStep: -1,
    };
    this.entries.add(opened);
    this.byKey.set(finding.key, opened);
    this.place(opened);
    this.options.onChange(incident, null);
  }

  clearing(clearing: Clearing): void {
    const entry = this.byKey.get(clearing.key);
    if (!entry?.open.delete(clearing.key) || entry.incident.resolvedAt !== null) return;
    // Another rule has a part in it: the incident stays open, and that rule describes it when its count rises.
    if (staysOpen(entry)) return;
    const left = [...entry.open.values()];
    entry.open.clear();
    entry.clearedAtStep = this.steps;
    this.leaving.push({ entry, atStep: this.steps });
    this.apply(entry, { type: 'clearing', clearing, line: clearing.source?.line ?? entry.incident.alertLine });
    // The step that clears may itself be the progress: a check that passes is both.
    const marker = this.lastProgress;
    if (marker && clearing.source && marker.source.offset >= clearing.source.offset)
      this.apply(entry, { type: 'progress', marker });
    // A warning that outlives it becomes a separate incident.
    for (const one of left) {
      this.release(one.key);
      this.finding({ ...one, at: clearing.at, source: clearing.source ?? one.source });
    }
  }

  progress(marker: ProgressMarker): void {
    this.lastProgress = marker;
    for (const entry of this.unproven) this.apply(entry, { type: 'progress', marker });
  }

  /** Counts a step: cleared incidents come closer to being over. */
  step(): void {
    this.steps++;
    for (let [first] = this.leaving; first && this.steps - first.atStep > REOPEN_STEPS; [first] = this.leaving) {
      this.leaving.shift();
      const { entry, atStep } = first;
      // It may have come back in the meantime, or have made room for another.
      if (entry.clearedAtStep === atStep && this.isOver(entry) && this.entries.has(entry)) this.retire(entry);
    }
  }

  sessionEnd(at: number, line: number): void {
    for (const entry of this.running) {
      entry.open.clear();
      this.apply(entry, { type: 'session_end', at, line });
    }
  }

  /** Applies the input of a person or a recovery to one incident. False if this session does not remember it. */
  change(id: string, input: IncidentInput): boolean {
    const entry = this.entryOf(id);
    if (entry) this.apply(entry, input);
    return entry !== undefined;
  }

  /** Returns the current form of one incident; undefined where this session does not remember it. */
  get(id: string): Incident | undefined {
    return this.entryOf(id)?.incident;
  }

  /**
   * Takes over the same streak from a reader that knew less of the session: its id, its messages and a person's actions on it are continued here.
   * Returns the id that the streak had here; null where there is no such streak.
   */
  takeOver(other: Incident): string | null {
    const same = ({ incident, keys }: Entry) =>
      keys.has(other.key) &&
      incident.firstAt <= other.firstAt &&
      (incident.resolvedAt === null || incident.resolvedAt >= other.openedAt);
    const entry = [...this.entries, ...this.older].find(same);
    if (!entry) return null;
    const { incident } = entry;
    // A person's action is kept; otherwise the reader that knows more decides whether it is over.
    const isClosed = other.outcome === 'not_stuck';
    const holds = isClosed || other.state === 'muted' || (other.resolvedAt === null && incident.resolvedAt === null);
    entry.incident = {
      ...incident,
      id: other.id,
      state: holds ? other.state : incident.state,
      attempts: other.attempts,
      notified: other.notified,
      history: other.history,
      ...(isClosed && {
        outcome: other.outcome,
        cleared: other.cleared,
        resolvedAt: other.resolvedAt,
        resolvedLine: other.resolvedLine,
      }),
    };
    this.place(entry);
    return incident.id;
  }

  /** Returns the incidents that are open, can come back or wait for a progress marker, the oldest first. */
  note(): readonly NotedIncident[] {
    const cleared = this.leaving.map(({ entry }) => entry).filter((entry) => this.entries.has(entry));
    return [...new Set([...this.running, ...cleared, ...[...this.unproven].slice(-NOTED_UNPROVEN)])]
      .sort((a, b) => a.number - b.number)
      .map(({ incident, keys, open, newest, speaking, clearedAtStep }) => ({
        incident,
        keys: [...keys],
        open: [...open.values()],
        newest,
        speaking,
        ...(incident.resolvedAt !== null && clearedAtStep >= 0 && { clearedFor: this.steps - clearedAtStep }),
      }));
  }

  /** True if no incident is open. */
  get isQuiet(): boolean {
    return this.running.size === 0;
  }

  /** Replaces what the last steps alone showed by the incidents known from a reading of the whole session. Reports nothing. */
  adopt(noted: readonly NotedIncident[]): void {
    for (const kept of [this.entries, this.byKey, this.running, this.unproven]) kept.clear();
    this.older.length = 0;
    this.leaving.length = 0;
    // So that no incident was cleared before the first step.
    this.steps += REOPEN_STEPS;
    for (const { incident, keys, open, newest, speaking, clearedFor = -1 } of noted) {
      const isOver = incident.resolvedAt !== null && (clearedFor < 0 || clearedFor > REOPEN_STEPS);
      const byKey = new Map(open.map((finding) => [finding.key, finding]));
      const entry: Entry = {
        incident,
        number: this.opened++,
        keys: new Set(keys),
        open: byKey,
        newest,
        speaking,
        clearedAtStep: clearedFor < 0 ? -1 : this.steps - clearedFor,
      };
      if (isOver) this.older.push(entry);
      else {
        this.entries.add(entry);
        for (const key of keys) this.byKey.set(key, entry);
        if (clearedFor >= 0) this.leaving.push({ entry, atStep: entry.clearedAtStep });
      }
      this.place(entry);
    }
  }

  /** Returns the incidents that are neither cleared nor ended, including muted ones, the newest first. */
  active(): Incident[] {
    return newestFirst([...this.running]);
  }

  /** Returns all that are remembered, the newest first. */
  all(): Incident[] {
    return newestFirst([...this.older, ...this.entries]);
  }

  /** Returns whether this incident includes a budget, set by a person, that is used up, whichever rule describes it. */
  isOverBudget(id: string): boolean {
    return [...(this.entryOf(id)?.open.values() ?? [])].some(
      ({ detector, certainty }) => detector === 'max_runtime' && certainty === 'counted',
    );
  }

  private entryOf(id: string): Entry | undefined {
    for (const entry of this.entries) if (entry.incident.id === id) return entry;
    return this.older.find((entry) => entry.incident.id === id);
  }

  private isOver(entry: Entry): boolean {
    return (
      entry.incident.resolvedAt !== null && entry.clearedAtStep >= 0 && this.steps - entry.clearedAtStep > REOPEN_STEPS
    );
  }

  /** Makes room for a new streak by removing the oldest one that is over. False if all of them are open. */
  private makeRoom(finding: Finding): boolean {
    if (this.entries.size < MOST_INCIDENTS) return true;
    for (const entry of this.entries) {
      if (entry.incident.resolvedAt === null) continue;
      this.retire(entry);
      return true;
    }
    if (!this.reportedFull) this.options.onFull?.(finding);
    this.reportedFull = true;
    return false;
  }

  /** Adds a finding to an existing incident. */
  private grow(entry: Entry, finding: Finding): void {
    const { key } = finding;
    const isNew = !entry.open.has(key);
    entry.newest = finding;
    entry.keys.add(key);
    entry.open.set(key, finding);
    this.byKey.set(key, entry);
    this.forget(entry);
    const described = describedFinding(entry.open, finding, entry.speaking);
    entry.speaking = described.key;
    this.apply(entry, { type: 'finding', finding: described });
    // A finding made while the window was open is not history, even if it belongs to something older.
    if (isNew && !this.options.isHistory(finding.at)) this.apply(entry, { type: 'present', at: finding.at });
  }

  private forget(entry: Entry): void {
    if (entry.keys.size <= MOST_KEYS) return;
    const oldest = [...entry.keys].find((key) => !entry.open.has(key) && key !== entry.incident.key);
    if (oldest === undefined) return;
    entry.keys.delete(oldest);
    if (this.byKey.get(oldest) === entry) this.byKey.delete(oldest);
  }

  /** Separates the key from its incident: the next finding under it is about something else. */
  private release(key: string): void {
    const entry = this.byKey.get(key);
    this.byKey.delete(key);
    if (entry && [...entry.keys].every((one) => this.byKey.get(one) !== entry)) this.retire(entry);
  }

  private retire(entry: Entry): void {
    this.entries.delete(entry);
    for (const key of entry.keys) if (this.byKey.get(key) === entry) this.byKey.delete(key);
    this.older.push(entry);
    const forgotten = this.older.length > REMEMBERED ? this.older.shift() : undefined;
    if (forgotten) this.unproven.delete(forgotten);
  }

  private apply(entry: Entry, input: IncidentInput): void {
    const before = entry.incident;
    const after = next(before, input);
    if (after === before) return;
    entry.incident = after;
    this.place(entry);
    this.options.onChange(after, before);
  }

  /** Updates `running` and `unproven` after a change of an incident. */
  private place(entry: Entry): void {
    const { resolvedAt, state } = entry.incident;
    if (resolvedAt === null) this.running.add(entry);
    else this.running.delete(entry);
    if (resolvedAt !== null && state === 'unknown') this.unproven.add(entry);
    else this.unproven.delete(entry);
  }
}

function newestFirst(entries: Entry[]): Incident[] {
  return entries.sort((a, b) => b.number - a.number).map((entry) => entry.incident);
}
