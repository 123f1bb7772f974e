import type { Clearing, Finding, Incident, ProgressMarker } from '../model';
import type { IncidentInput } from './incident-input';
import { type SessionIdentity, next, open } from './reducer';

/** The same outcome back within so many steps reopens the incident, without a second notification. */
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
  clearedAtStep: number;
}

/** The incidents of one session, by the key of their streak. */
export class IncidentBook {
  private readonly entries = new Map<string, Entry>();
  private readonly older: Entry[] = [];
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
    this.entries.set(finding.key, { incident, clearedAtStep: -1 });
    this.options.onChange(incident, null);
  }

  clearing(clearing: Clearing): void {
    const entry = this.entries.get(clearing.key);
    if (!entry || entry.incident.resolvedAt !== null) return;
    entry.clearedAtStep = this.steps;
    this.apply(entry, { type: 'clearing', clearing, line: clearing.source?.line ?? entry.incident.alertLine });
    // The step that clears may itself be the progress: a check that passes is both.
    const marker = this.lastProgress;
    if (marker && clearing.source && marker.source.offset >= clearing.source.offset)
      this.apply(entry, { type: 'progress', marker });
  }

  progress(marker: ProgressMarker): void {
    this.lastProgress = marker;
    for (const entry of this.entries.values()) this.apply(entry, { type: 'progress', marker });
  }

  /** A step was seen: what was cleared moves towards being over. */
  step(): void {
    this.steps++;
  }

  sessionEnd(at: number, line: number): void {
    for (const entry of this.entries.values()) this.apply(entry, { type: 'session_end', at, line });
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
    // What a person did holds on; whether it is over, the reader that knows more decides.
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
    return incident.id;
  }

  /** Incidents that are neither cleared nor ended, also muted ones, the newest first. */
  active(): Incident[] {
    return this.all().filter((incident) => incident.resolvedAt === null);
  }

  /** All that are remembered, the newest first. */
  all(): Incident[] {
    return [...this.older, ...this.entries.values()].map((entry) => entry.incident).reverse();
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
    if (this.older.length > REMEMBERED) this.older.shift();
  }

  private apply(entry: Entry, input: IncidentInput): void {
    const before = entry.incident;
    const after = next(before, input);
    if (after === before) return;
    entry.incident = after;
    this.options.onChange(after, before);
  }
}
