import type { PanelSnapshot } from './snapshot';
import type { StepSubjects, TimelineMode } from './timeline';

/**
 * Messages from the host to the panel. Each message is complete. Host and panel are built and shipped together, so the panel trusts the types.
 * `showable` has made the texts safe to show.
 */
export type HostMessage =
  | { readonly type: 'snapshot'; readonly snapshot: PanelSnapshot }
  /** The answer to `describeSteps`. */
  | { readonly type: 'subjects'; readonly subjects: StepSubjects }
  /** The placement of steps that the reader chose, sent before the first snapshot. */
  | { readonly type: 'timelineMode'; readonly mode: TimelineMode };

/** Maximum length of a message that can be sent, characters. */
export const MESSAGE_LENGTH = 16_384;
/** Maximum number of steps that one `describeSteps` requests. */
export const DESCRIBED_STEPS = 500;
