import type { AgentEvent, Incident } from '../../core/model';
import type { LinePlace, TranscriptLine } from '../../base/tail';
import type { Session } from '../session/session';
import type { SessionNote } from '../session/session-note';
import type { Copies } from './copies';
import type { TranscriptNote } from './notes';
import { RestPoints } from './rest-points';
import { Transcript, type TranscriptOptions } from './transcript';

/** A session that was read in the background, with the latest state of all its incidents. */
export interface Prepared {
  readonly session: Session;
  readonly incidents: ReadonlyMap<string, Incident>;
}

export interface HistoryReadingOptions
  extends Pick<TranscriptOptions, 'decoder' | 'ownCalls' | 'timeHere' | 'clock' | 'beforeEvent'> {
  readonly copies: Copies;
  /** Creates a session that is not shown yet; `incidents` is called with the changes of its incidents. `partly`: its first lines are not read. */
  readonly prepare: (event: AgentEvent, partly: boolean, incidents: (incident: Incident) => void) => Session;
}

/**
 * Reads a followed transcript into sessions that are not shown yet: from its first line, or from shortly before the end of what a note covers. Up to
 * that end the lines only show the rules what was done last; there the sessions take over the note and continue from it.
 *
 * What a rule counts may have begun before the lines that are read. So once a rule finds something after the note, the whole file has to be read.
 */
export class HistoryReading {
  readonly transcript: Transcript;
  readonly points: RestPoints;
  private readonly prepared = new Map<string, Prepared & { readonly incidents: Map<string, Incident> }>();
  private readonly noted: ReadonlyMap<string, SessionNote>;
  /** True once the lines come after those of the note; null if the file is not the one that was noted. */
  private isBehind: boolean | null;

  constructor(
    private readonly options: HistoryReadingOptions,
    private readonly note?: TranscriptNote,
  ) {
    this.noted = new Map(note?.sessions);
    this.isBehind = note === undefined;
    this.transcript = new Transcript({ ...options, sessionFor: (event) => this.sessionFor(event) });
    this.points = new RestPoints(this.transcript, options.copies);
  }

  /** Returns the place to begin at; undefined for the first line. */
  get from(): LinePlace | undefined {
    return this.note?.end.from;
  }

  get sessions(): readonly Prepared[] {
    return [...this.prepared.values()];
  }

  /** True if the sessions know the whole transcript; if not, all of it has to be read. */
  get isEnough(): boolean {
    return (
      this.note === undefined || (this.isBehind === true && this.sessions.every(({ session }) => !session.findings))
    );
  }

  line(line: TranscriptLine, calls: number): void {
    if (this.isBehind === null) return;
    this.points.line(line, calls);
    if (this.isBehind || !this.note) return;
    const isAt = this.points.isAt(this.note);
    if (isAt === null) return;
    this.isBehind = (isAt && this.learn(this.note)) || null;
  }

  /** Gives the sessions what was noted of them. False if they are others. */
  private learn(note: TranscriptNote): boolean {
    const { noted } = this;
    if (this.prepared.size !== noted.size) return false;
    for (const { session, incidents } of this.prepared.values()) {
      const known = noted.get(session.options.session);
      if (!known) return false;
      session.adopt(known);
      incidents.clear();
    }
    this.points.adopt(note);
    return true;
  }

  private sessionFor(event: AgentEvent): Session {
    const known = this.prepared.get(event.session);
    if (known) return known.session;
    const incidents = new Map<string, Incident>();
    const session = this.options.prepare(event, this.note !== undefined, (one) => void incidents.set(one.id, one));
    this.prepared.set(event.session, { session, incidents });
    const noted = this.noted.get(session.options.session);
    if (noted) session.recall(noted, event);
    return session;
  }
}
