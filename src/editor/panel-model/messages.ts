import type { PanelSnapshot } from './snapshot';
import type { StepSubjects, TimelineMode } from './timeline';

/**
 * Messages of the host to the panel. Each message is whole. Host and panel are built and shipped together, so the panel trusts their type;
 * `showable` has made their texts safe to show.
 */
export type HostMessage =
  | { readonly type: 'snapshot'; readonly snapshot: PanelSnapshot }
  /** The answer to `describeSteps`. */
  | { readonly type: 'subjects'; readonly subjects: StepSubjects }
  /** Placement of steps that the reader chose, before the first snapshot. */
  | { readonly type: 'timelineMode'; readonly mode: TimelineMode };

/** Longest message that can be sent, characters. */
export const MESSAGE_LENGTH = 16_384;
/** Most steps that one `describeSteps` asks for. */
export const DESCRIBED_STEPS = 500;
