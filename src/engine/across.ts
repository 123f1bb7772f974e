import { createAcrossDetector } from '../detect/session/across';
import type { AcrossRule, AcrossSession } from '../detect/session/across-rule';
import { type AcrossNote, noteOfEvent, noteOfStep, opens } from '../detect/session/across-note';
import type { Step } from '../detect/steps/step';
import type { AgentEvent, AgentId, Clearing, DetectorId, DetectorOptions, Finding, Incident } from '../core/model';
import type { Disposable } from '../base/util/disposable';
import type { Clock } from '../base/clock';
import { putNewest } from '../base/util/newest';
import { resumeIncident } from './resume-incident';
import type { Session } from './session/session';

type Detectors = (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>;

export interface AcrossParts {
  readonly detectors: Detectors;
  /** The session shown under this key. */
  readonly session: (key: string) => Session | undefined;
  /** Called when something of this session changed without its own doing. */
  readonly changed: (key: string) => void;
  readonly clock: Clock;
  /** Notes before this time are not compared, because transcripts are read one after another, not in order of time. Milliseconds since the epoch. */
  readonly since: number;
}

/** Loop findings whose last session is remembered. */
const RUNS = 64;
/** Time for which notes of several agents are gathered and put in order before they are compared. */
const GATHER_MS = 250;

/** Something a session did, as the rules across sessions need it. Plain data: the cache of scans keeps it. */
export interface TakenNote {
  readonly from: AcrossSession;
  readonly note: AcrossNote;
}

/**
 * The engine's rules across sessions: two agents that undo each other's edits, an outage, one failure in all runs of a loop. They see only what is
 * written after the start of the engine; what they find belongs to the incidents of each session that takes part.
 */
export class Across implements Disposable {
  private readonly detector: AcrossRule;
  private gathered: { readonly session: Session; readonly note: AcrossNote }[] = [];
  private timer: Disposable | null = null;
  /** The last session with a given loop finding, by the key of the finding. */
  private readonly inRuns = new Map<string, Session>();
  /** First and newest finding of everything still open, by session and key. */
  private readonly open = new Map<string, Map<string, { readonly first: Finding; last: Finding }>>();

  constructor(private readonly parts: AcrossParts) {
    this.detector = createAcrossDetector(parts.detectors, {
      finding: (key, finding) => {
        const session = parts.session(key);
        if (!session) return;
        const known = this.open.get(key) ?? new Map<string, { first: Finding; last: Finding }>();
        const entry = known.get(finding.key);
        if (entry) entry.last = finding;
        else known.set(finding.key, { first: finding, last: finding });
        this.open.set(key, known);
        session.book.finding(finding);
        if (finding.rule === 'runs') this.continueRun(finding, session);
        parts.changed(key);
      },
      clearing: (key, clearing) => {
        this.open.get(key)?.delete(clearing.key);
        parts.session(key)?.book.clearing(clearing);
        parts.changed(key);
      },
    });
  }

  event(session: Session, event: AgentEvent): void {
    if (event.at < this.parts.since) return;
    const note = noteOfEvent(event);
    if (note) this.take(session, note);
  }

  step(session: Session, step: Step): void {
    if (step.at >= this.parts.since) this.take(session, noteOfStep(step, cwdOf(session)));
  }

  /** Called when the process of a session or its transcript is gone. */
  ended(session: Session): void {
    const key = session.options.session;
    if (!this.open.delete(key)) return;
    this.take(session, { type: 'end', reason: 'session_end', at: session.facts.lastEventAt, source: null });
  }

  /** Reports open findings again when a new object takes the place of a session. */
  renew(session: Session): void {
    for (const { first, last } of this.open.get(session.options.session)?.values() ?? []) {
      session.book.finding(first);
      if (last !== first) session.book.finding(last);
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.gathered = [];
  }

  /** Carries over to the next run what a person was told and answered in the run before. */
  private continueRun({ key }: Finding, session: Session): void {
    const before = this.inRuns.get(key);
    putNewest(this.inRuns, key, session, RUNS);
    const incident = incidentIn(session, key);
    const earlier = before && before !== session ? incidentIn(before, key) : undefined;
    if (incident && earlier) resumeIncident(session, incident.id, earlier);
  }

  private take(session: Session, note: AcrossNote): void {
    this.gathered.push({ session, note });
    this.timer ??= this.parts.clock.after(GATHER_MS, () => this.takeGathered());
  }

  private takeGathered(): void {
    this.timer = null;
    const taken = this.gathered;
    this.gathered = [];
    // The first prompt shows which run of a loop a session is, and it may be read together with the steps after it.
    for (const { session, note } of inOrder(taken)) this.detector.take(acrossSession(session), note);
  }
}

/** Steps kept after a note that can open something, because they may still end it: it ends when it does not come back within 12 steps. */
const FOLLOWING = 16;

/** A finding or clearing of the rules across sessions, for one session. */
export type AcrossResult =
  | { readonly session: string; readonly finding: Finding }
  | { readonly session: string; readonly clearing: Clearing };

/**
 * The same for transcripts that are read one by one: the notes of each are taken while it is read, and the rules get all of them afterwards in order
 * of time (`compareNotes`). Only what can open something is kept, with the steps after it.
 */
export class AcrossNotes {
  readonly taken: TakenNote[] = [];
  private readonly following = new Map<Session, Following>();

  event(session: Session, event: AgentEvent): void {
    const note = noteOfEvent(event);
    if (note) this.take(session, note);
  }

  step(session: Session, step: Step): void {
    this.take(session, noteOfStep(step, cwdOf(session)));
  }

  private take(session: Session, note: AcrossNote): void {
    const following = this.followingOf(session);
    if (note.type === 'step') {
      following.any--;
      following.refusal--;
    }
    if (opens(note)) following.any = FOLLOWING;
    if (note.type === 'refused' || (note.type === 'step' && note.refusal !== null)) following.refusal = FOLLOWING;
    // An answer of the model ends an outage, and nothing else.
    const left = note.type === 'answered' ? following.refusal : following.any;
    if (left <= 0 && note.type !== 'end') return;
    following.from = acrossSession(session, following.from);
    this.taken.push({ from: following.from, note });
  }

  private followingOf(session: Session): Following {
    const known = this.following.get(session);
    if (known) return known;
    const made: Following = { any: 0, refusal: 0, from: acrossSession(session) };
    this.following.set(session, made);
    return made;
  }
}

/** Number of further steps to keep: after a note that can open something, and after one that can open an outage. */
interface Following {
  any: number;
  refusal: number;
  from: AcrossSession;
}

/**
 * Returns the findings among the notes of several transcripts, in the order of the transcripts. If two of them contain the same session, the later
 * one gets its findings.
 */
export function compareNotes(transcripts: readonly (readonly TakenNote[])[], detectors: Detectors): AcrossResult[][] {
  const results = transcripts.map((): AcrossResult[] => []);
  const holders = new Map<string, AcrossResult[] | undefined>();
  for (const [at, taken] of transcripts.entries()) for (const { from } of taken) holders.set(from.session, results[at]);
  if (holders.size > 1) {
    const across = createAcrossDetector(detectors, {
      finding: (session, finding) => holders.get(session)?.push({ session, finding }),
      clearing: (session, clearing) => holders.get(session)?.push({ session, clearing }),
    });
    for (const { from, note } of inOrder(transcripts.flat())) across.take(from, note);
  }
  return results;
}

function inOrder<Taken extends { readonly note: AcrossNote }>(taken: Taken[]): Taken[] {
  return taken.sort((a, b) => a.note.at - b.note.at);
}

/** Returns `before` itself if nothing changed, so that its holder keeps only one object. */
function acrossSession(session: Session, before?: AcrossSession): AcrossSession {
  const { agent, session: key } = session.options;
  const { run } = session;
  const { agentName } = session.facts;
  const cwd = cwdOf(session);
  if (before?.agentName === agentName && before.cwd === cwd && before.run === run) return before;
  return { agent, session: key, agentName, cwd, ...(run && { run }) };
}

function incidentIn({ book }: Session, key: string): Incident | undefined {
  return book.all().find((incident) => incident.key === key);
}

function cwdOf(session: Session): string | null {
  return session.facts.cwd ?? null;
}
