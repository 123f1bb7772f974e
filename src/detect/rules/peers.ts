import type { AgentId, ClearingReason, DetectorOptions, Evidence, Source } from '../../core/model';
import { cycle as card } from '../../core/rules/cards/cycle';
import { NOT_BACK_STEPS, PERSON } from '../../core/rules/common';
import type { AcrossRule, AcrossSession, AcrossSink } from '../session/across-rule';
import { EvidenceRows, rowOf } from '../session/alert';
import { CONFIDENCE } from '../streaks/confidence';
import type { EndNote, StepNote } from '../session/across-note';
import type { EditPair } from '../steps/edit-pair';
import { nameOf } from '../sayings/paths-in-text';
import { putNewest } from '../../base/util/newest';

/** Number of pairs of texts that are followed; the one not seen for longest is forgotten first. */
const PAIRS = 500;
/** Number of files whose last whole content is remembered. */
const FILES = 500;

/** One change that is made and undone repeatedly. */
interface BackAndForth {
  readonly path: string;
  /** The current text, and the session whose edit made it. */
  after: number;
  by: string;
  /** Number of edits in a row that undid another session's. */
  count: number;
  rows: EvidenceRows;
  /** Sessions that take part, each with its last edit. */
  readonly sides: Map<string, Side>;
}

interface Side {
  readonly from: AcrossSession;
  step: StepNote;
  firstAt: number;
  first: Source;
  open: boolean;
}

/**
 * Rule `peers` of `cycle`: two agents repeatedly undo each other's edit. It counts the edits in a row that put back what another session's edit had
 * replaced; the thresholds are those of `cycle`.
 */
export function createPeers(options: (agent: AgentId) => DetectorOptions, sink: AcrossSink): AcrossRule {
  const pairs = new Map<string, BackAndForth>();
  const contents = new Map<string, number>();
  /** Open findings of each session, so that its steps require no search. */
  const openIn = new Map<string, Set<BackAndForth>>();

  const clear = (
    session: string,
    what: BackAndForth,
    reason: ClearingReason,
    at: number,
    source: Source | null,
  ): void => {
    const side = what.sides.get(session);
    openIn.get(session)?.delete(what);
    if (!side?.open) return;
    side.open = false;
    sink.clearing(session, { detector: card.id, key: keyOf(what), reason, at, source });
  };

  const report = (what: BackAndForth, side: Side, limit: number, rows: readonly Evidence[]): void => {
    const others = [...what.sides.values()].filter((one) => one !== side).map((one) => one.from.agentName);
    const file = nameOf(what.path);
    const level = what.count >= limit ? 'stuck' : 'warn';
    side.open = true;
    const open = openIn.get(side.from.session) ?? new Set();
    openIn.set(side.from.session, open.add(what));
    sink.finding(side.from.session, {
      detector: card.id,
      rule: 'peers',
      reason: card.reason,
      exhaustion: card.exhaustion,
      key: keyOf(what),
      level,
      certainty: card.certainty,
      confidence: CONFIDENCE[level],
      count: what.count,
      limit,
      at: side.step.at,
      source: side.step.end,
      firstAt: side.firstAt,
      first: side.first,
      evidence: rows,
      subject: side.step.subject,
      why: `This agent and ${others.join(', ')} undo each other's edits of \`${file}\`: ${what.count} edits in a row restored what the one before had replaced.`,
      suggestion: `Let one of them work on \`${file}\`, and tell the other one what was decided.`,
      clears: [`the edit is not undone within ${NOT_BACK_STEPS} steps`, PERSON],
    });
  };

  const edited = (from: AcrossSession, step: StepNote, pair: EditPair): void => {
    const before = pair.before || (contents.get(pair.path) ?? 0);
    if (pair.before === 0) putNewest(contents, pair.path, pair.after, FILES);
    if (before === 0 || before === pair.after) return;
    const key = `${Math.min(before, pair.after)}-${Math.max(before, pair.after)}@${pair.path}`;
    const what = pairs.get(key) ?? {
      path: pair.path,
      after: 0,
      by: '',
      count: 0,
      rows: new EvidenceRows(),
      sides: new Map<string, Side>(),
    };
    putNewest(pairs, key, what, PAIRS);
    const undoes = what.after === before && what.by !== '' && what.by !== from.session;
    if (!undoes && what.by !== '') begin(what, step);
    what.after = pair.after;
    what.by = from.session;
    const side = what.sides.get(from.session) ?? {
      from,
      step,
      firstAt: step.at,
      first: step.source,
      open: false,
    };
    side.step = step;
    what.sides.set(from.session, side);
    what.rows.add({ ...rowOf(step, `by ${from.agentName}`), letter: letterOf(what, from.session) });
    if (!undoes) return;
    what.count++;
    const rows = what.rows.rows();
    for (const one of what.sides.values()) {
      const { on, warn, stuck } = options(one.from.agent);
      if (on && what.count >= warn) report(what, one, stuck, rows);
    }
  };

  /** Starts the count with this edit, because the same session made it twice, or another one made it. */
  const begin = (what: BackAndForth, step: StepNote): void => {
    for (const session of what.sides.keys()) clear(session, what, 'different_result', step.at, step.end);
    what.count = 0;
    what.rows = new EvidenceRows();
    what.sides.clear();
  };

  const ended = (session: string, { reason, at, source }: EndNote): void => {
    for (const what of openIn.get(session) ?? []) clear(session, what, reason, at, source);
    openIn.delete(session);
  };

  const stepped = (from: AcrossSession, step: StepNote): void => {
    for (const what of openIn.get(from.session) ?? []) {
      const side = what.sides.get(from.session);
      if (side && step.index - side.step.index >= NOT_BACK_STEPS)
        clear(from.session, what, 'not_back', step.at, step.end);
    }
    if (step.edit) edited(from, step, step.edit);
  };

  return {
    take(from, note) {
      if (note.type === 'step') stepped(from, note);
      else if (note.type === 'end') ended(from.session, note);
    },
  };
}

function keyOf(what: BackAndForth): string {
  const first = what.rows.first;
  return `peers-${nameOf(what.path)}@${first?.source.offset ?? 0}`;
}

function letterOf(what: BackAndForth, session: string): string {
  return 'ABCDEFGH'[[...what.sides.keys()].indexOf(session)] ?? 'H';
}
