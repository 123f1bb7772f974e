import type { AgentId, ClearingReason, DetectorOptions, Source } from '../../core/model';
import { repeatingOutcome as card } from '../../core/rules/cards/repeating-outcome';
import { OTHER_RESULT } from '../../core/rules/common';
import { fill } from '../../core/words/fill';
import type { AcrossRule, AcrossSession, AcrossSink } from '../session/across-rule';
import type { StepNote } from '../session/across-note';
import { EvidenceRows, rowOf } from '../session/alert';
import { CONFIDENCE } from '../streaks/confidence';
import { putNewest } from '../../base/util/newest';

/** Number of loops that are followed, and of failing calls of each; the one not seen for longest is forgotten first. */
const LOOPS = 64;
const CALLS = 32;
/** The most repeats that are added to the limits, one for each further run: it has the same prompt, and looks where the last one stopped. */
const MOST_EXTRA = 2;

/** A call that failed in the same way in several runs. */
interface Failing {
  said: number;
  count: number;
  /** Number of repeats in the current run. */
  inRun: number;
  run: number;
  readonly runs: Set<number>;
  readonly key: string;
  readonly first: StepNote;
  readonly rows: EvidenceRows;
  /** The session in which it is open. */
  open: string | null;
}

/**
 * Rule `runs` of `repeating_outcome`: a loop starts the agent repeatedly with the same prompt, and one call fails in the same way in each run. Counts
 * continue from run to run until the call says something else, or a run makes progress. Within one run, the session's own rule reports.
 */
export function createRuns(options: (agent: AgentId) => DetectorOptions, sink: AcrossSink): AcrossRule {
  const loops = new Map<string, Map<number, Failing>>();

  const clear = (failing: Failing, reason: ClearingReason, at: number, source: Source | null): void => {
    const session = failing.open;
    failing.open = null;
    if (session !== null) sink.clearing(session, { detector: card.id, key: failing.key, reason, at, source });
  };

  const failed = (from: AcrossSession, run: number, calls: Map<number, Failing>, step: StepNote): void => {
    let failing = calls.get(step.call);
    if (failing && failing.said !== step.said) clear(failing, 'different_result', step.at, step.end);
    if (failing?.said !== step.said) {
      const key = `runs-${step.call.toString(36)}@${step.at}`;
      failing = {
        said: step.said,
        count: 0,
        inRun: 0,
        run,
        runs: new Set(),
        key,
        first: step,
        rows: new EvidenceRows(),
        open: null,
      };
    }
    putNewest(calls, step.call, failing, CALLS);
    if (failing.run !== run) failing.inRun = 0;
    failing.run = run;
    failing.runs.add(run);
    failing.count++;
    failing.inRun++;
    failing.rows.add(rowOf(step, `run ${run}: ${step.text}`));
    report(from, failing, step);
  };

  const report = (from: AcrossSession, failing: Failing, step: StepNote): void => {
    const { count, runs, first, rows, inRun } = failing;
    const { on, warn, stuck } = options(from.agent);
    const extra = Math.min(runs.size - 1, MOST_EXTRA);
    if (!on || runs.size < 2 || count < warn + extra) return;
    if (inRun >= stuck) return clear(failing, 'different_result', step.at, step.end);
    const level = count >= stuck + extra ? 'stuck' : 'warn';
    failing.open = from.session;
    sink.finding(from.session, {
      detector: card.id,
      rule: 'runs',
      reason: card.reason,
      exhaustion: card.exhaustion,
      key: failing.key,
      level,
      certainty: card.certainty,
      confidence: CONFIDENCE[level],
      count,
      limit: stuck + extra,
      at: step.at,
      source: step.end,
      firstAt: first.at,
      first: first.source,
      evidence: rows.rows(),
      subject: step.subject,
      why: `\`${step.subject}\` failed in the same way ${count} times in ${runs.size} runs of a loop with the same prompt: ${step.text}`,
      suggestion:
        'Each run begins without what the last one learned. Change the prompt, or tell the next run what was tried.',
      clears: [fill(OTHER_RESULT, { call: step.subject }), 'a run makes progress'],
    });
  };

  return {
    take(from, note) {
      const { run } = from;
      if (!run) return;
      const calls = loops.get(run.loop) ?? new Map<number, Failing>();
      if (note.type === 'end' && note.reason === 'session_end') {
        for (const failing of calls.values())
          if (failing.open === from.session) clear(failing, 'session_end', note.at, note.source);
      }
      if (note.type !== 'step') return;
      if (note.progress) {
        for (const failing of calls.values()) clear(failing, 'progress', note.at, note.end);
        loops.delete(run.loop);
      } else if (note.said !== 0) {
        putNewest(loops, run.loop, calls, LOOPS);
        failed(from, run.number, calls, note);
      } else if (!note.failed) {
        const failing = calls.get(note.call);
        if (failing) clear(failing, 'different_result', note.at, note.end);
        calls.delete(note.call);
      }
    },
  };
}
