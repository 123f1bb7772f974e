import { canContinue, needsAnswer } from '../../core/model';
import {
  type Comparison,
  type PanelDelivery,
  type PanelIntent,
  type PanelSnapshot,
  type StepSubjects,
  type TimelineMode,
  compare,
} from '../panel-model';
import { type EvidenceRow, evidenceRows } from './evidence-rows';
import { type TimelineSteps, prepareSteps } from './timeline/steps';
import { FOLLOWING, type TimelineWindow } from './timeline/window';

export type MenuName = 'recover' | 'more';

/** The reader's state in the panel. It is kept apart from the snapshots, which replace each other. */
export interface Local {
  readonly window: TimelineWindow;
  /** Placement of steps in the timeline, the same for every agent. The host keeps it. */
  readonly mode: TimelineMode;
  /** Selected step; null follows the newest. */
  readonly selected: number | null;
  /** The step under the pointer, in the timeline or in a row. */
  readonly hovered: { readonly step: number } | { readonly words: string } | null;
  /** The reader's text; null while it is the unchanged draft. */
  readonly text: string | null;
  readonly boxOpen: boolean;
  /** The message that was sent and not yet answered by a snapshot. */
  readonly sent: SentMessage | null;
  readonly allEvidence: boolean;
  readonly allLines: boolean;
  readonly allRules: boolean;
  readonly shownTexts: readonly string[];
  /** The menu that is open. */
  readonly menu: MenuName | null;
  /** Ids of the gates whose failures are all shown. */
  readonly shownFailures: readonly string[];
  /** True if the header was scrolled out of view. */
  readonly scrolled: boolean;
  /** True if the message box is in view. */
  readonly boxInView: boolean;
}

export interface SentMessage {
  readonly key: string;
  /** The reader's text at that moment; null for the draft. */
  readonly text: string | null;
  /** The answer takes so long that it can be sent again. It may still come: connecting an agent asks the person first. */
  readonly isLate: boolean;
}

export const FRESH: Local = {
  window: FOLLOWING,
  mode: 'steps',
  selected: null,
  hovered: null,
  text: null,
  boxOpen: false,
  sent: null,
  allEvidence: false,
  allLines: false,
  allRules: false,
  shownTexts: [],
  menu: null,
  shownFailures: [],
  scrolled: false,
  boxInView: false,
};

/** Everything that the page is drawn from. */
export interface Model {
  readonly snapshot: PanelSnapshot;
  readonly local: Local;
  /** The host's clock now. */
  readonly now: number;
  readonly steps: TimelineSteps;
  readonly rows: readonly EvidenceRow[];
  readonly comparison: Comparison | null;
  readonly subjects: readonly StepSubjects[];
}

/** Actions that the views request. */
export interface Actions {
  send(intent: PanelIntent): void;
  change(local: Partial<Local>): void;
  select(step: number): void;
  openStep(step: number): void;
  placeSteps(mode: TimelineMode): void;
  /** Shows the message box, scrolls to it and focuses it, with the cursor before the first thing that a draft asks for and nothing selected. */
  focusMessage(): void;
  sendMessage(): void;
  /** Withdraws a queued message and puts its text into the box. */
  edit(delivery: PanelDelivery): void;
}

/** Facts derived from one snapshot alone: computed once per snapshot, not with each tick of the clock. */
export interface Derived {
  readonly steps: TimelineSteps;
  readonly comparison: Comparison | null;
  readonly folded: readonly EvidenceRow[];
  readonly unfolded: readonly EvidenceRow[];
}

export function derive(snapshot: PanelSnapshot): Derived {
  const steps = prepareSteps(snapshot.timeline);
  const { incident } = snapshot;
  return {
    steps,
    comparison: incident?.first && incident.last ? compare(incident.first, incident.last) : null,
    folded: incident ? evidenceRows(incident, steps, false) : [],
    unfolded: incident ? evidenceRows(incident, steps, true) : [],
  };
}

/** Identifies what the box is about. With a new key, the box starts from the beginning. */
export function messageKey(snapshot: PanelSnapshot): string {
  const { message } = snapshot;
  return message ? `${message.incident ?? ''}:${message.number}` : '';
}

/** Returns the reader's state after a new snapshot. Text that was written but not sent is kept, unless it was meant for another agent. */
export function withSnapshot(local: Local, before: PanelSnapshot | null, after: PanelSnapshot): Local {
  if (before && before.session !== after.session) {
    return { ...FRESH, mode: local.mode, scrolled: local.scrolled, boxInView: local.boxInView };
  }
  const answered = local.sent !== null && local.sent.key !== messageKey(after) ? local.sent : null;
  // What was written after it was sent stays, and so does what may never have been sent.
  const isDone =
    answered?.text === local.text && (!answered.isLate || before?.message?.incident === after.message?.incident);
  const otherIncident = before !== null && before.incident?.id !== after.incident?.id;
  const end = after.timeline.from + after.timeline.at.length;
  return {
    ...local,
    ...(answered && { sent: null }),
    ...(answered && (isDone ? { text: null, boxOpen: false } : { boxOpen: true })),
    ...(otherIncident && { allEvidence: false, allLines: false }),
    // The menu's button is gone, and the menu must not be open when it comes back.
    ...(local.menu === 'recover' && !after.recovery && { menu: null }),
    ...(local.selected !== null && local.selected >= end && { selected: null }),
  };
}

/** Returns the step that the timeline and the evidence point at now. */
export function currentStep(model: Pick<Model, 'local' | 'steps'>): number | null {
  const { hovered, selected } = model.local;
  const { first, end } = model.steps.range;
  if (end <= first) return null;
  if (hovered && 'step' in hovered) return hovered.step;
  return selected ?? end - 1;
}

/** Returns whether the message in the box is on its way. */
export function isSending({ snapshot, local: { sent } }: Pick<Model, 'snapshot' | 'local'>): boolean {
  return sent?.key === messageKey(snapshot) && !sent.isLate;
}

/** Returns the text in the message box. */
export function messageText({ snapshot, local }: Pick<Model, 'snapshot' | 'local'>): string {
  return local.text ?? snapshot.message?.draft ?? '';
}

/** Returns where a person continues writing: before the step that a draft asks for, which comes below the line that says who writes. */
export function caretOf(text: string): number {
  return text.indexOf('\n\n') === -1 ? 0 : text.indexOf('\n\n') + 2;
}

export function isBoxShown({ snapshot, local }: Pick<Model, 'snapshot' | 'local'>): boolean {
  return snapshot.message !== null && (snapshot.message.open || local.boxOpen);
}

/** Returns whether a person may wonder why no rule calls the agent stuck. */
export function mayWonderWhyNot({ state, incident, machine }: PanelSnapshot, now: number): boolean {
  switch (state.kind) {
    case 'working':
    case 'stalled':
      // An incident says what would clear it, or how it ended. The rules of another machine are not known here.
      return incident === null && !machine;
    case 'waiting': {
      // A person who is asked for something, or knows what stopped the agent, does not look for a rule.
      const knowsWhy = needsAnswer(state) || state.waitingFor === 'limit' || canContinue(state, now);
      return !knowsWhy && incident === null && !machine;
    }
    // An agent that is not read has no all-clear.
    case 'not_monitored':
    case 'stuck':
    case 'escalated':
    case 'recovering':
    case 'finished':
      return false;
  }
}
