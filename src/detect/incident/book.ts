import type { Clearing, Finding, Incident, ProgressMarker } from '../../core/model';
import type { IncidentInput } from './incident-input';
import { type SessionIdentity, next, open } from './reducer';

/** Number of steps within which the same outcome reopens the incident, without a second notification. */
const REOPEN_STEPS = 50;
/** Closed incidents that can still change (credit, progress) or reopen; older ones belong to the store alone. */
const REMEMBERED = 64;
/** Streaks that a session knows at a time. A session has a handful; each costs a look at every step. */
export const MOST_INCIDENTS = 200;

export interface BookOptions {
  readonly facts: () => SessionIdentity;
  /** A new incident's id. */
  readonly id: (finding: Finding) => string;
  /** Did this moment lie before the window opened? */
  readonly isHistory: (at: number) => boolean;
  readonly onChange: (incident: Incident, before: Incident | null) => void;
  /** A finding was left out, because as many streaks as are kept go on. Told once. */
  readonly onFull?: (finding: Finding) => void;
}

interface Entry {
  incident: Incident;
  /** Serial number: of two incidents the newer has the larger one. */
  readonly number: number;
  clearedAtStep: number;
}

/**
 * The incidents of one session, by the key of their streak. What is over leaves, so that a step costs the same after thousands of incidents
 * as in a session without one.
 */
export class IncidentBook {
  /** Streaks that go on or can come back. */
  private readonly entries = new Map<string, Entry>();
  private readonly older: Entry[] = [];
  /** Those of `entries` that go on. */
  private readonly running = new Set<Entry>();
  /** Those of `entries` and `older` that were cleared, and wait for a progress marker to be recovered. */
  private readonly unproven = new Set<Entry>();
  /** Was cleared at this step, in the order of steps: it is over once enough of them were seen. */
  private readonly leaving: { readonly entry: Entry; readonly atStep: number }[] = [];
  private opened = 0;
  private steps = 0;
  private lastProgress: ProgressMarker | null = null;
  private saidFull = false;

  constructor(private readonly options: BookOptions) {}

  finding(finding: Finding): void {
    const entry = this.entries.get(finding.key);
    if (entry && !this.isOver(entry) && entry.incident.outcome !== 'not_stuck') {
      this.apply(entry, { type: 'finding', finding });
      return;
    }
    if (entry) this.retire(finding.key, entry);
    else if (!this.makeRoom(finding)) return;
    const incident = open(finding, this.options.facts(), this.options.id(finding), this.options.isHistory(finding.at));
    const opened = { incident, number: this.opened++, clearedAtStep: -1 };
    this.entries.set(finding.key, opened);
    this.place(opened);
    this.options.onChange(incident, null);
  }

  clearing(clearing: Clearing): void {
    const entry = this.entries.get(clearing.key);
    if (!entry || entry.incident.resolvedAt !== null) return;
    entry.clearedAtStep = this.steps;
    this.leaving.push({ entry, atStep: this.steps });
    this.apply(entry, { type: 'clearing', clearing, line: clearing.source?.line ?? entry.incident.alertLine });
    // The step that clears may itself be the progress: a check that passes is both.
    const marker = this.lastProgress;
    if (marker && clearing.source && marker.source.offset >= clearing.source.offset)
      this.apply(entry, { type: 'progress', marker });
  }

  progress(marker: ProgressMarker): void {
    this.lastProgress = marker;
    for (const entry of this.unproven) this.apply(entry, { type: 'progress', marker });
  }

  /** A step was seen: what was cleared moves towards being over. */
  step(): void {
    this.steps++;
    for (let [first] = this.leaving; first && this.steps - first.atStep > REOPEN_STEPS; [first] = this.leaving) {
      this.leaving.shift();
      const { entry, atStep } = first;
      const { key } = entry.incident;
      // It may have come back since, or have made room for another.
      if (entry.clearedAtStep === atStep && this.isOver(entry) && this.entries.get(key) === entry)
        this.retire(key, entry);
    }
  }

  sessionEnd(at: number, line: number): void {
    for (const entry of this.running) this.apply(entry, { type: 'session_end', at, line });
  }

  /** A person's or a recovery's input to one incident. False: this session does not remember it. */
  change(id: string, input: IncidentInput): boolean {
    const entry = this.entryOf(id);
    if (entry) this.apply(entry, input);
    return entry !== undefined;
  }

  /** One incident as it stands; undefined where this session does not remember it. */
  get(id: string): Incident | undefined {
    return this.entryOf(id)?.incident;
  }

  /**
   * The same streak as a reader saw that knew less of the session: its id, what was sent and what a person did to it go on here. Returns
   * the id that it had here; null where there is no such streak.
   */
  takeOver(other: Incident): string | null {
    const same = (incident: Incident) =>
      incident.key === other.key &&
      incident.firstAt <= other.firstAt &&
      (incident.resolvedAt === null || incident.resolvedAt >= other.openedAt);
    const entry = [...this.entries.values(), ...this.older].find((one) => same(one.incident));
    if (!entry) return null;
    const { incident } = entry;
    // A person's action holds; otherwise the reader that knows more decides whether it is over.
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

  /** Incidents that are neither cleared nor ended, also muted ones, the newest first. */
  active(): Incident[] {
    return newestFirst([...this.running]);
  }

  /** All that are remembered, the newest first. */
  all(): Incident[] {
    return newestFirst([...this.older, ...this.entries.values()]);
  }

  private entryOf(id: string): Entry | undefined {
    for (const entry of this.entries.values()) if (entry.incident.id === id) return entry;
    return this.older.find((entry) => entry.incident.id === id);
  }

  private isOver(entry: Entry): boolean {
    return (
      entry.incident.resolvedAt !== null && entry.clearedAtStep >= 0 && this.steps - entry.clearedAtStep > REOPEN_STEPS
    );
  }

  /** The oldest streak that is over makes room for a new one. False: all of them go on. */
  private makeRoom(finding: Finding): boolean {
    if (this.entries.size < MOST_INCIDENTS) return true;
    for (const [key, entry] of this.entries) {
      if (entry.incident.resolvedAt === null) continue;
      this.retire(key, entry);
      return true;
    }
    if (!this.saidFull) this.options.onFull?.(finding);
    this.saidFull = true;
    return false;
  }

  private retire(key: string, entry: Entry): void {
    this.entries.delete(key);
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

  /** Keeps `running` and `unproven` true to what became of an incident. */
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
