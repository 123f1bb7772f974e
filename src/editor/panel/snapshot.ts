import type { SessionSteps } from '../../engine/session/session-steps';
import { wasSeen } from '../../core/model';
import type { PanelMarker, StepSubjects } from '../panel-model/timeline';
import type { StepsInTime } from '../panel-model/watch';

/** Maximum number of newest steps that go to the panel. */
const SENT_STEPS = 5_000;
/** Number of newest steps whose names are sent along; other names are requested. */
const NAMED_STEPS = 200;

/** Returns the newest steps of a timeline as they go to the panel: copies, because letters are stamped onto the flags. */
export function stepsOf(timeline: SessionSteps | undefined) {
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

/** Returns the steps in the form in which the progress of a watched message is counted. */
export function stepsInTime(timeline: SessionSteps | undefined): StepsInTime {
  return {
    length: timeline?.length ?? 0,
    at: (place) => timeline?.at(place) ?? 0,
    wasSeen: (place) => wasSeen(timeline?.flag(place) ?? 0),
  };
}

/** Returns the names of the steps from `from` up to but not including `to`. */
export function subjectsOf(timeline: SessionSteps | undefined, from: number, to: number): StepSubjects {
  const start = Math.max(0, from);
  const end = Math.min(timeline?.length ?? 0, to);
  return {
    from: start,
    subjects: Array.from({ length: Math.max(0, end - start) }, (_, i) => timeline?.subject(start + i) ?? ''),
  };
}

export function newestSubjects(timeline: SessionSteps | undefined): StepSubjects {
  const length = timeline?.length ?? 0;
  return subjectsOf(timeline, length - NAMED_STEPS, length);
}

/** Returns the markers of the steps that are sent, nudges with their number. */
export function markersOf(timeline: SessionSteps | undefined, from: number): PanelMarker[] {
  let nudges = 0;
  return (timeline?.markers ?? [])
    .map((marker) => (marker.kind === 'nudge' ? { ...marker, number: ++nudges } : marker))
    .filter((marker) => marker.step >= from);
}
