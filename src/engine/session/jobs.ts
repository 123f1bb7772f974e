import { resolve } from 'node:path';
import { headOf } from '../../agents/shared/decode/copy';
import { putNewest } from '../../base/util/newest';
import type { AgentEvent, MissedNotice, ToolCallEvent, ToolResultEvent } from '../../core/model';

/** Time within which an agent is notified that its command ended, milliseconds: an agent not notified by then never is. */
const NOTIFIED_WITHIN_MS = 120_000;
/** A sub-agent is assumed to work for this long if nothing shows its end: it may have been lost. */
const AWAITED_MS = 30 * 60_000;
/** Number of the newest commands of a session that are remembered. */
const MOST = 20;
/** Characters of arguments that are searched for the name of a job. */
const LOOKED_AT = 4_000;
/** Characters of the last line of an output that are kept. */
const LINE_LENGTH = 200;
/** A server or a watcher is not waited for. */
const ENDLESS = /\b(?:serve|server|runserver|watch|dev|start|preview|nodemon|http\.server|tail -[a-z]*f)\b/i;
/** `> build.log 2>&1 &`: it continues in the background, and its output goes into a file. */
const BACKGROUND = /&?>{1,2} {0,4}([\w./~-]{1,200})(?: {1,4}2>&1)? {0,4}&(?![&>])/;
const ENDS_OTHERS = /\b(?:kill|pkill|killall)\b/;

/** A command or a sub-agent that continues in the background. */
export interface Job {
  readonly kind: 'command' | 'sub_agent';
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Its name in the agent's own words; absent for a command that the shell itself put in the background. */
  readonly key?: string;
  /** The file with its output, absolute. */
  readonly output?: string;
  /** Its end makes an agent continue whose turn is over. */
  readonly wakes?: true;
  readonly end?: { readonly at: number; readonly exitCode?: number; readonly lastLine?: string };
}

/** Jobs by the id of the call that started them, stored as JSON. */
export type JobsNote = readonly (readonly [call: string, job: Job])[];

/** Keeps what a session started in the background, until it is notified of the end. By the id of the call that started it. */
export class Jobs {
  /** Calls without a result, the newest last. */
  private readonly calls: ToolCallEvent[] = [];
  private readonly jobs = new Map<string, Job>();

  push(event: AgentEvent, cwd: string | undefined): void {
    switch (event.type) {
      case 'tool_call':
        if (this.jobs.size > 0) this.called(event);
        if (event.command !== undefined || event.kind === 'delegated' || this.jobs.size > 0) {
          this.calls.push(event);
          if (this.calls.length > MOST) this.calls.shift();
        }
        return;
      case 'tool_result':
        return this.answered(event, cwd);
      case 'user':
        if (event.automated) this.forget(({ key }) => key !== undefined && event.text.includes(key));
        return;
      case 'job_end':
        return this.ended(event.key === undefined ? event.id : idOf(event.id, event.key), event.at, event);
      case 'session_end':
        return this.jobs.clear();
      default:
    }
  }

  /** Returns all jobs, for a later reading of the last lines. */
  note(): JobsNote {
    return [...this.jobs];
  }

  /** Takes over the jobs of a reading of the whole transcript. */
  adopt(jobs: JobsNote): void {
    this.jobs.clear();
    for (const [id, job] of jobs) this.jobs.set(id, job);
  }

  /** Returns the jobs that continue as far as is known, and whose output shows whether they do. */
  running(): readonly { readonly id: string; readonly output: string }[] {
    return [...this.jobs].flatMap(([id, { output, end }]) => (output === undefined || end ? [] : [{ id, output }]));
  }

  /**
   * Notes the end of a job. It can be reported twice, by its own session and by a record with its last words: the time of the first and the words are
   * kept.
   */
  ended(id: string, at: number, how: { readonly exitCode?: number; readonly lastLine?: string }): void {
    const job = this.jobs.get(id);
    if (!job || (job.end && (how.lastLine === undefined || job.end.lastLine !== undefined))) return;
    const { exitCode } = how;
    const lastLine = how.lastLine === undefined ? '' : headOf(how.lastLine, LINE_LENGTH);
    this.jobs.set(id, {
      ...job,
      end: { at: job.end?.at ?? at, ...(exitCode !== undefined && { exitCode }), ...(lastLine && { lastLine }) },
    });
  }

  /** True if a sub-agent is still working, as far as is known. */
  get hasSubAgent(): boolean {
    for (const { kind, end } of this.jobs.values()) if (kind === 'sub_agent' && !end) return true;
    return false;
  }

  /** Notes the end of a sub-agent. @param session its own: the agent names the sub-agent by the end of that name */
  childEnded(session: string, at: number): boolean {
    for (const [id, { kind, key, end }] of this.jobs) {
      if (kind !== 'sub_agent' || end || key === undefined || !session.endsWith(key)) continue;
      this.ended(id, at, {});
      return true;
    }
    return false;
  }

  /**
   * Returns the newest job that ended after the turn without the agent being notified.
   *
   * @param since when its turn ended, milliseconds since the epoch
   */
  missed(since: number, now: number): MissedNotice | null {
    for (const { kind, subject, end } of [...this.jobs.values()].reverse()) {
      if (!end || end.at < since || now - end.at < NOTIFIED_WITHIN_MS) continue;
      const { at: endedAt, ...how } = end;
      return { kind, subject, endedAt, ...how };
    }
    return null;
  }

  /** Returns the oldest sub-agent that is still working and whose end makes its agent continue. */
  awaited(now: number): Job | undefined {
    return [...this.jobs.values()].find(
      ({ kind, wakes, end, startedAt }) => kind === 'sub_agent' && wakes && !end && now - startedAt < AWAITED_MS,
    );
  }

  /** Returns when the next job becomes a missed one, or is no longer awaited, milliseconds since the epoch; infinite if none does. */
  nextMoment(after: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { end, startedAt } of this.jobs.values()) {
      const at = end ? end.at + NOTIFIED_WITHIN_MS : startedAt + AWAITED_MS;
      if (at > after) next = Math.min(next, at);
    }
    return next;
  }

  private called(call: ToolCallEvent): void {
    if (ENDS_OTHERS.test(call.command ?? '')) return this.jobs.clear();
    // An agent that queries a job after its end knows of the end; so does one that ended it.
    const isStop = /kill|stop/i.test(call.name);
    const words = wordsOf(call);
    this.forget((job) => (isStop || job.end !== undefined) && isNamedIn(words, job));
  }

  private answered(result: ToolResultEvent, cwd = '/'): void {
    const at = this.calls.findLastIndex(({ id }) => id === result.id);
    const call = at < 0 ? undefined : this.calls.splice(at, 1)[0];
    if (!call || result.outcome === 'late') return;
    // An agent that reads the output so far keeps waiting; one whose poll says that the job no longer runs knows of the end.
    if (!result.running && this.jobs.size > 0) {
      const words = wordsOf(call);
      this.forget((job) => job.output === undefined && isNamedIn(words, job));
    }
    const { command, subject } = call;
    const startedAt = result.at;
    // A call may start several. Its own id is the name under which the end of a command is reported.
    if (call.kind === 'delegated' && !result.isError)
      for (const job of result.jobs ?? [])
        putNewest(this.jobs, idOf(call.id, job.key), { kind: 'sub_agent', subject, startedAt, ...job }, MOST);
    const job = result.jobs?.[0];
    if (command === undefined || result.isError || !(job || command.includes('&'))) return;
    const file = BACKGROUND.exec(command.slice(0, LOOKED_AT))?.[1];
    if ((!job && file === undefined) || ENDLESS.test(command)) return;
    if (job) putNewest(this.jobs, call.id, { kind: 'command', subject, startedAt, ...job }, MOST);
    else if (file !== undefined && !file.startsWith('/dev/') && !file.startsWith('~'))
      putNewest(this.jobs, call.id, { kind: 'command', subject, startedAt, output: resolve(cwd, file) }, MOST);
  }

  private forget(isKnown: (job: Job) => boolean): void {
    for (const [id, job] of this.jobs) if (isKnown(job)) this.jobs.delete(id);
  }
}

/** Returns the id of one sub-agent: a call may start several. */
function idOf(call: string, key: string): string {
  return `${call} ${key}`;
}

function wordsOf(call: ToolCallEvent): string {
  return JSON.stringify(call.args ?? '').slice(0, LOOKED_AT);
}

/** True if the words name the job. A file is recognised by its last part: the folder may be written differently. */
function isNamedIn(words: string, { key, output }: Job): boolean {
  return [key, output?.slice(output.lastIndexOf('/') + 1)].some((name) => name !== undefined && words.includes(name));
}
