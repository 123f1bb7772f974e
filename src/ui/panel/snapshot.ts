import type { Timeline } from '../../engine/session/timeline';
import type { BridgeAbilities } from '../../inbox';
import type { AgentView } from '../../model';
import type { Reach } from '../../words';
import type { PanelMarker, StepSubjects } from '../../panel/timeline';

/** Steps that go to the panel at once; longer histories come with the pyramid. */
const SENT_STEPS = 5_000;
/** Newest steps whose names go along; others are asked for. */
const NAMED_STEPS = 200;
/** A tool that runs longer is named instead of the usual promise. */
const LONG_CALL_MS = 60_000;

/** The newest steps of a timeline as they go to the panel: copies, because letters are stamped onto the flags. */
export function stepsOf(timeline: Timeline | undefined) {
  const length = timeline?.length ?? 0;
  const from = Math.max(0, length - SENT_STEPS);
  const arrays = timeline?.slice(from) ?? {
    at: new Float64Array(0),
    flags: new Uint8Array(0),
    outcomes: new Uint32Array(0),
    lines: new Uint32Array(0),
  };
  return { from, ...arrays };
}

/** Names of the steps from `from` up to but not including `to`. */
export function subjectsOf(timeline: Timeline | undefined, from: number, to: number): StepSubjects {
  const start = Math.max(0, from);
  const end = Math.min(timeline?.length ?? 0, to);
  return {
    from: start,
    subjects: Array.from({ length: Math.max(0, end - start) }, (_, i) => timeline?.subject(start + i) ?? ''),
  };
}

export function newestSubjects(timeline: Timeline | undefined): StepSubjects {
  const length = timeline?.length ?? 0;
  return subjectsOf(timeline, length - NAMED_STEPS, length);
}

/** The markers of the steps that are sent; nudges with their number. */
export function markersOf(timeline: Timeline | undefined, from: number): PanelMarker[] {
  let nudges = 0;
  return (timeline?.markers ?? [])
    .map((marker) => (marker.kind === 'nudge' ? { ...marker, number: ++nudges } : marker))
    .filter((marker) => marker.step >= from);
}

export interface ReachInput {
  readonly view: AgentView;
  /** Something hands messages to this agent. */
  readonly connected: boolean;
  /** When it was connected, milliseconds since the epoch; null where that is not known. */
  readonly connectedAt: number | null;
  /** When the session began, milliseconds since the epoch; null where that is not known. */
  readonly startedAt: number | null;
  /** What messages can do to this kind of agent; null where no bridge says so. */
  readonly abilities: BridgeAbilities | null;
  readonly trusted: boolean;
  readonly expiryMs: number;
  readonly now: number;
}

/** How and when a message would arrive now (design/UI.md 8.3). */
export function reachOf(input: ReachInput): Reach {
  const { view, connected, connectedAt, startedAt, abilities, trusted, expiryMs, now } = input;
  const { state, doing } = view;
  const early = connectedAt !== null && startedAt !== null && startedAt < connectedAt;
  if (!trusted) return { kind: 'restricted' };
  if (state.kind === 'finished') return { kind: 'ended' };
  if (state.kind === 'waiting' && state.waitingFor !== 'turn_end') return { kind: 'permission' };
  if (!connected) return { kind: 'not_connected' };
  if (early && abilities?.joinsRunning === false) return { kind: 'not_loaded' };
  if (state.kind === 'waiting') {
    const wakes = abilities?.wakesIdle !== false && !early && view.mode !== 'print';
    return { kind: wakes ? 'wakes' : 'next_prompt' };
  }
  if (state.kind === 'stalled' && doing?.kind === 'model') return { kind: 'hanging' };
  if (doing?.kind === 'tool' && now - doing.since >= LONG_CALL_MS) {
    return { kind: 'long_call', call: doing.subject, since: doing.since, until: now + expiryMs };
  }
  return { kind: 'next_call' };
}
