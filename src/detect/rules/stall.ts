import type { DetectorOptions, ToolCallEvent } from '../../core/model';
import { stall as card } from '../../core/rules/cards/stall';
import { Activity, type EventPlace } from '../session/activity';
import { Alert } from '../session/alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import { age } from '../../core/words/format';
import { NearMissLog, WORTH, inMinutes } from '../session/near-misses';
import { type Patience, minutesOf, patienceFor } from '../steps/patience';

const MINUTE = 60_000;
const NEVER = Number.POSITIVE_INFINITY;

/** The awaited call or answer. */
interface Waiting extends Patience {
  /** Absent while an answer of the model is awaited. */
  readonly call?: ToolCallEvent;
}

/**
 * Detects that nothing was written for too long during a turn. The patience depends on what is awaited: the model, a tool, a build or test. It is a
 * guess from time, so it only warns, and never while a question is open or the turn is over.
 */
export const stall: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink, '', false);
  const near = new NearMissLog(card.id, null, sink);
  let activity: Activity | undefined;
  let context: DetectContext | undefined;
  /** An agent that runs without a person, or in a mode that requests no permissions, waits for no one. */
  let hasPerson = true;
  let asks = true;
  let retryInMs = 0;
  /** What is awaited since the newest event; undefined until it is computed. */
  let waiting: Waiting | null | undefined = null;
  let reportedAt = 0;
  let wokeAt = 0;

  /** Returns the time since which the agent could have written. */
  const silentSince = (of: Activity): number => Math.max(of.since, wokeAt);

  const waitedFor = (): Waiting | null => {
    if (waiting !== undefined) return waiting;
    // Without a known time there is no silence.
    if (activity?.since === 0) return (waiting = null);
    // Silence after a complete answer does not count: it is the person's move, at the latest once the patience for the model has run out.
    waiting =
      activity && context && activity.isBusy && !activity.isAnswered
        ? whatIsWaitedFor(context, options, hasPerson && asks)
        : null;
    return waiting;
  };

  /** Returns the time at which the silence has lasted too long, or has doubled since it was last reported. */
  const due = (): number => {
    const what = waitedFor();
    if (!what || !activity) return NEVER;
    const since = silentSince(activity);
    // What was reported before the machine slept says nothing about the time since it woke.
    const at = alert.isOpen && reportedAt > since ? since + (reportedAt - since) * 2 : since + retryInMs + what.ms;
    return context?.isPersonsMove(at) ? NEVER : at;
  };

  /** Returns the shortest possible patience, in milliseconds. */
  const shortest = (): number =>
    Math.min(options.warn * MINUTE, minutesOf(options, 'tool'), minutesOf(options, 'build'));

  /** Returns the earliest time at which the silence could be too long. What is awaited is determined only then, not at every event. */
  const deadline = (): number => {
    if (waiting !== undefined || !activity) return due();
    return activity.isBusy && !activity.isAnswered && activity.since > 0 ? silentSince(activity) + shortest() : NEVER;
  };

  const report = (what: Waiting, last: EventPlace, since: number, now: number, of: DetectContext): void => {
    reportedAt = now;
    const silent = now - since;
    const name = what.call ? `\`${what.call.subject}\`` : 'the model';
    const cause = what.call
      ? `while running ${name}. ${sentence(what.what)} may take ${age(what.ms)}.`
      : of.showsRunningTool
        ? `while waiting for the model. Answers may take ${age(what.ms)}.`
        : `in an open turn. This agent does not record running tools, so it may be busy for ${age(what.ms)}.`;
    const first = what.call ?? last;
    alert.raise(
      {
        level: 'warn',
        count: Math.floor(inMinutes(silent)),
        limit: Math.round(inMinutes(what.ms)),
        at: now,
        source: last.source,
        firstAt: since,
        first: last.source,
        evidence: [
          {
            source: first.source,
            end: last.source,
            at: first.at,
            role: 'first',
            subject: what.call?.subject ?? 'the model',
            text: `no line since, ${age(silent)}`,
          },
        ],
        subject: what.call?.subject ?? 'the model',
        why: `No output for ${age(silent)} ${cause}`,
        suggestion: what.call
          ? `Check whether ${name} hangs or asks for something. If so, stop it and run it with a time limit.`
          : 'Check whether the model still replies. If not, restart the request or the agent.',
        clears: ['the next line in the transcript'],
      },
      of,
    );
  };

  return {
    onEvent(event, of) {
      context = of;
      activity ??= new Activity(of);
      if (event.type === 'clock') return;
      if (event.type === 'session_info') {
        if (event.mode !== undefined) hasPerson = event.mode !== 'print';
        if (event.permissionMode !== undefined) asks = event.permissionMode !== 'nothing';
      }
      const { last } = activity;
      const silent = last ? event.at - silentSince(activity) : 0;
      const what = options.on && last && silent > MINUTE && silent >= shortest() * WORTH ? waitedFor() : null;
      if (what && last) {
        const held = what.ms > minutesOf(options, 'tool') ? `${sentence(what.what)} have ${age(what.ms)}` : undefined;
        const subject = what.call?.subject ?? 'the model';
        near.reached(of, subject, inMinutes(silent), inMinutes(what.ms), event.at, last.source, held);
      }
      alert.clear('new_line', event.at, event.source, of);
      activity.push(event);
      retryInMs = event.type === 'error' ? (event.retryInMs ?? 0) : 0;
      waiting = undefined;
    },
    onTick(now, of) {
      const what = waitedFor();
      if (what && activity?.last && now >= due()) report(what, activity.last, silentSince(activity), now, of);
    },
    lasting(now) {
      const what = waitedFor();
      if (!what || !activity?.last || !Number.isFinite(what.ms) || context?.isPersonsMove(now)) return null;
      const since = silentSince(activity);
      return {
        detector: card.id,
        rule: null,
        nearest: what.call?.subject ?? 'the model',
        reached: Math.floor(inMinutes(now - since)),
        limit: Math.round(inMinutes(what.ms)),
        lastsSince: since,
        at: now,
        source: activity.last.source,
      };
    },
    onWake(at) {
      wokeAt = at;
    },
    deadline,
  };
}

function whatIsWaitedFor(context: DetectContext, options: DetectorOptions, mayAsk: boolean): Waiting {
  let longest: Waiting | null = null;
  for (const call of context.pending) {
    const patience = patienceFor(call, options, mayAsk);
    if (!longest || patience.ms > longest.ms) longest = { ...patience, call };
  }
  if (longest) return longest;
  const model = options.warn * MINUTE;
  // silence may be a tool, even a build
  const ms = context.showsRunningTool ? model : Math.max(model, minutesOf(options, 'build'));
  return { ms, what: 'answers' };
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
