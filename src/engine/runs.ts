import { createHash } from 'node:crypto';
import { putNewest } from '../base/util/newest';
import type { LivenessProbe } from '../agents/transcripts';
import { parentInStat } from './follow/probe';
import type { Session } from './session/session';

/** Longest pause between the end of one run and the beginning of the next, milliseconds, if one process is not known to start both. */
const PAUSE_MS = 60_000;
/** Time by which the last line of a run may overlap the next one, milliseconds. */
const OVERLAP_MS = 1_000;
/** Number of the newest prompts whose runs are remembered. The sessions themselves are bounded by what is followed. */
const PROMPTS = 500;

/** Remains of the runs whose sessions are no longer followed. */
interface Past {
  readonly number: number;
  readonly loop: string;
  readonly endedAt: number;
  readonly parent: string | null;
  /** Its process, while it is known to be alive. */
  readonly pid?: number | undefined;
}

interface Group {
  past: Past | null;
  /** The run that was last reported to have begun. */
  begun?: Session;
  /** In order of their beginning. */
  readonly sessions: Session[];
}

/**
 * Finds the runs of loops that start an agent again and again: sessions with the same first prompt in one folder, one after the other, each started
 * by the same process or within 60 s of the end of the last. A session in a terminal is none: a person types its prompt. Two sessions whose processes
 * are both alive work side by side.
 */
export class LoopRuns {
  private readonly groups = new Map<string, Group>();
  private readonly groupOf = new Map<Session, Group>();
  /** The process that started each session, with its start time. */
  private readonly parents = new WeakMap<Session, string>();

  /** @param next called when a run begins; `before` is the one it replaces */
  constructor(
    private readonly probe: Pick<LivenessProbe, 'read' | 'processStart'>,
    private readonly changed: (session: Session) => void,
    private readonly next: (before: Session, run: Session) => void,
  ) {}

  /** Called when something of a session was read. */
  wrote(session: Session): void {
    const known = this.groupOf.get(session);
    if (known) {
      // Only the end of an earlier run can change the place of another one.
      if (known.sessions.at(-1) !== session) this.number(known);
      return;
    }
    const { facts, options } = session;
    if (facts.task === '' || facts.cwd === undefined || facts.parent !== undefined || facts.forkedFrom !== undefined)
      return;
    if (facts.mode === 'interactive' || session.isCopy) return;
    const prompt = createHash('sha256').update(facts.task).digest('base64');
    const key = `${options.agent}\n${facts.cwd}\n${prompt}`;
    const group: Group = this.groups.get(key) ?? { past: null, sessions: [] };
    putNewest(this.groups, key, group, PROMPTS);
    // A session that was read in part is exchanged for one that knows all of it.
    const same = group.sessions.findIndex((one) => one.options.session === options.session);
    for (const other of same < 0 ? [] : group.sessions.splice(same, 1)) this.groupOf.delete(other);
    this.groupOf.set(session, group);
    const at = group.sessions.findLastIndex((one) => one.facts.startedAt <= facts.startedAt);
    group.sessions.splice(at + 1, 0, session);
    this.learnParent(session);
    this.number(group);
  }

  /** Called when the process of a session became known, or is known to have ended. */
  livenessChanged(session: Session): void {
    const group = this.groupOf.get(session);
    if (!group) return;
    this.learnParent(session);
    this.number(group);
  }

  /** Learns which process started a live one. */
  private learnParent(session: Session): void {
    const pid = pidOf(session);
    if (pid === undefined || this.parents.has(session)) return;
    const parent = parentInStat(this.probe.read(`/proc/${pid}/stat`));
    if (parent !== null && parent > 1) this.parents.set(session, `${parent}@${this.probe.processStart(parent)}`);
  }

  /** Returns the newest run of the loop that a session belongs to; the session itself if it belongs to none. */
  lastOf(session: Session): Session {
    const { sessions = [] } = this.groupOf.get(session) ?? {};
    return sessions.findLast(({ run }) => run?.loop === session.run?.loop) ?? session;
  }

  /** Forgets a session that is no longer followed. */
  forget(session: Session): void {
    const group = this.groupOf.get(session);
    this.groupOf.delete(session);
    const at = group?.sessions.indexOf(session) ?? -1;
    if (!group || at < 0) return;
    group.sessions.splice(at, 1);
    const { run, facts } = session;
    if (at === 0 && run) group.past = { ...run, endedAt: facts.lastEventAt, parent: this.parents.get(session) ?? null };
  }

  private number(group: Group): void {
    const { past, sessions } = group;
    let before = past;
    const places = sessions.map((session): Past => {
      const { startedAt, lastEventAt } = session.facts;
      const parent = this.parents.get(session) ?? null;
      const pid = pidOf(session);
      const pause = startedAt - (before?.endedAt ?? 0);
      const isConcurrent = pid !== undefined && before?.pid !== undefined && before.pid !== pid;
      const isSoon = pause <= PAUSE_MS || (parent !== null && parent === before?.parent);
      const follows = pause >= -OVERLAP_MS && isSoon && !isConcurrent;
      before = {
        number: before && follows ? before.number + 1 : 1,
        loop: before && follows ? before.loop : `${session.options.session}@${startedAt}`,
        endedAt: lastEventAt,
        parent,
        pid,
      };
      return before;
    });
    for (const [index, session] of sessions.entries()) {
      const { number = 1, loop = '' } = places[index] ?? {};
      const isLast = places[index + 1]?.loop !== loop;
      if (session.run?.number === number && session.run.loop === loop && session.run.isLast === isLast) continue;
      session.run = { number, loop, isLast };
      this.changed(session);
    }
    const [earlier, last] = sessions.slice(-2);
    if (!earlier || !last || last === group.begun || earlier.run?.loop !== last.run?.loop) return;
    group.begun = last;
    this.next(earlier, last);
  }
}

function pidOf({ liveness }: Session): number | undefined {
  return liveness?.alive === true ? liveness.pid : undefined;
}
