import type { PanelAction, PanelSnapshot } from './snapshot';
import type { StepSubjects } from './timeline';

/** What the host tells the panel. Each message is whole; `parseHostMessage` checks it on arrival. */
export type HostMessage =
  | { readonly type: 'snapshot'; readonly snapshot: PanelSnapshot }
  /** The answer to `describeSteps`. */
  | { readonly type: 'subjects'; readonly subjects: StepSubjects }
  /** Scroll to the message box and focus it: *Edit* of a notification, *Nudge* of another view. `text` replaces what stands in it. */
  | { readonly type: 'focusMessage'; readonly text?: string };

/** What the reader asks for. The host validates it by `parseIntent`: a webview is not trusted with paths or ids. */
export type PanelIntent =
  /** The panel has loaded, or lost what it had: send a snapshot. */
  | { readonly type: 'ready' }
  /** Open a transcript at a line. The host opens only files that it follows itself. */
  | { readonly type: 'openLine'; readonly file: string; readonly line: number; readonly offset: number }
  /** Open the transcript at a step, 0-based, of the panel's session. */
  | { readonly type: 'openStep'; readonly step: number }
  /** Open the transcript with all lines of the shown incident selected. */
  | { readonly type: 'openAll' }
  | { readonly type: 'openTranscript' }
  | { readonly type: 'sendNudge'; readonly text: string; readonly incident?: string }
  /** Take a queued message back (*Undo*; *Edit* also puts its text into the box). */
  | { readonly type: 'withdraw'; readonly id: string }
  | { readonly type: 'sendAgain'; readonly id: string }
  | { readonly type: 'connect' }
  | { readonly type: 'manageTrust' }
  | { readonly type: 'resume' }
  /** Offer to mute the incident, the agent, or its rule. */
  | { readonly type: 'mute' }
  | { readonly type: 'copySummary' }
  /** Copy the whole result of the first or last box. */
  | { readonly type: 'copySample'; readonly which: 'first' | 'last' }
  /** Show the lines that were skipped, and why. */
  | { readonly type: 'showSkipped' }
  | { readonly type: 'showIncident'; readonly id: string }
  /** Names of the steps from `from` up to but not including `to`, 0-based, at most 500. */
  | { readonly type: 'describeSteps'; readonly from: number; readonly to: number }
  /** Run the quality gates over the agent's work; consent is asked for where it is missing. */
  | { readonly type: 'runGates' }
  | { readonly type: 'cancelGates' }
  /** Send what failed to the agent. */
  | { readonly type: 'sendGates' }
  /** Open the file of a failure, by its place in the snapshot's list. */
  | { readonly type: 'openFailure'; readonly gate: string; readonly failure: number }
  /** Do this about the shown incident; restart and stop ask before. */
  | { readonly type: 'recover'; readonly action: PanelAction }
  /** Hold automatic mode for the shown incident, or let it go on. */
  | { readonly type: 'hold'; readonly on: boolean }
  /** Save the work in progress. */
  | { readonly type: 'saveCheckpoint' }
  | { readonly type: 'exportIncident' }
  /** Show the incidents that were like this one. */
  | { readonly type: 'showSimilar' }
  /** Alt+F8: the next stuck agent. */
  | { readonly type: 'nextStuck' };

/** Longest message that can be sent, characters. */
export const MESSAGE_LENGTH = 16_384;
/** Most steps that one `describeSteps` asks for. */
export const DESCRIBED_STEPS = 500;
