import type { AgentId, ClearingReason, DetectorOptions, Evidence, Source } from '../../core/model';
import { rateLimited as card } from '../../core/rules/cards/rate-limited';
import { PERSON } from '../../core/rules/common';
import type { AcrossRule, AcrossSession, AcrossSink } from '../session/across-rule';
import type { SharedRefusal } from '../session/across-note';
import { CONFIDENCE } from '../streaks/confidence';
import { putNewest } from '../../base/util/newest';

/** Longest time between failures that count as simultaneous. */
const AT_ONCE_MS = 2 * 60_000;
/** Number of errors that are followed; the oldest is forgotten first. */
const ERRORS = 64;
/** Number of sessions that are followed for one error. */
const SESSIONS = 32;
/** One agent alone is not an outage, whatever the thresholds. */
const LEAST_AGENTS = 2;
/** The most recent occurrence of an error in one session. */
interface Seen {
  readonly from: AcrossSession;
  at: number;
  row: Evidence;
  open: boolean;
}

interface SharedError {
  readonly key: string;
  readonly text: string;
  readonly sessions: Map<string, Seen>;
}

/**
 * Rule `outage` of `rate_limited`: the same error in several agents within two minutes. It is not a loop: a service refuses their requests, or the
 * machine has run out of something. It counts the agents; at least two.
 */
export function createOutage(options: (agent: AgentId) => DetectorOptions, sink: AcrossSink): AcrossRule {
  const errors = new Map<number, SharedError>();
  /** Open findings of each session: it may have made room for another one in the error itself. */
  const openIn = new Map<string, Map<SharedError, Seen>>();

  const clear = (session: string, reason: ClearingReason, at: number, source: Source | null, ofModel = false): void => {
    const open = openIn.get(session);
    for (const [error, seen] of open ?? []) {
      // an answer of the model says nothing about a service that a tool needs
      if (ofModel && seen.row.step !== undefined) continue;
      open?.delete(error);
      if (!seen.open) continue;
      seen.open = false;
      sink.clearing(session, { detector: card.id, key: error.key, reason, at, source });
    }
  };

  const report = (error: SharedError, seen: Seen, now: readonly Seen[], warn: number): void => {
    const first = now.reduce((a, b) => (b.at < a.at ? b : a));
    seen.open = true;
    openIn.set(seen.from.session, (openIn.get(seen.from.session) ?? new Map()).set(error, seen));
    const source = seen.row.end ?? seen.row.source;
    sink.finding(seen.from.session, {
      detector: card.id,
      rule: 'outage',
      reason: card.reason,
      exhaustion: card.exhaustion,
      key: error.key,
      level: 'warn',
      certainty: card.certainty,
      confidence: CONFIDENCE.warn,
      count: now.length,
      limit: warn,
      at: seen.at,
      source,
      firstAt: first.at,
      first: seen.row.source,
      evidence: [
        seen.row,
        ...now.filter((one) => one !== seen).map((one): Evidence => ({ ...one.row, role: 'repeat' })),
      ].slice(0, 8),
      subject: error.text,
      why: `${now.length} agents had the same error within ${AT_ONCE_MS / 60_000} min: ${error.text}`,
      suggestion: 'Check the service or the machine that they share. Nothing is wrong with the work of this agent.',
      clears: ['a request or call succeeds', PERSON],
    });
  };

  const failed = (from: AcrossSession, { fingerprint, text }: SharedRefusal, row: Evidence): void => {
    const error = errors.get(fingerprint) ?? {
      key: `outage-${fingerprint.toString(36)}@${row.at}`,
      text,
      sessions: new Map<string, Seen>(),
    };
    putNewest(errors, fingerprint, error, ERRORS);
    const seen = error.sessions.get(from.session) ?? { from, at: row.at, row, open: false };
    seen.at = row.at;
    seen.row = row;
    error.sessions.delete(from.session);
    error.sessions.set(from.session, seen);
    for (const [session, one] of error.sessions) {
      const isOld = row.at - one.at > AT_ONCE_MS;
      if ((isOld && !one.open) || error.sessions.size > SESSIONS) error.sessions.delete(session);
    }
    const now = [...error.sessions.values()].filter((one) => row.at - one.at <= AT_ONCE_MS);
    for (const one of now) {
      const { on, warn } = options(one.from.agent);
      if (on && now.length >= Math.max(LEAST_AGENTS, warn)) report(error, one, now, warn);
    }
  };

  return {
    take(from, note) {
      const { session } = from;
      switch (note.type) {
        case 'refused': {
          const { source, at, text } = note;
          failed(from, note.refusal, { source, at, role: 'first', subject: from.agentName, text });
          break;
        }
        case 'answered':
          clear(session, 'success', note.at, note.source, true);
          break;
        case 'step': {
          const { source, end, at, index, subject, text } = note;
          if (note.refusal) failed(from, note.refusal, { source, end, at, step: index, role: 'first', subject, text });
          else if (!note.failed) clear(session, 'success', at, end);
          break;
        }
        case 'end':
          clear(session, note.reason, note.at, note.source);
      }
    },
  };
}
