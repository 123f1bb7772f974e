import type { AgentState, MessageKind } from '../../model';
import { deliveryName } from '../messages/delivery';
import { age } from '../format';
import { type IncidentFacts, incidentDescription, incidentLook, incidentTitle } from '../incidents/description';
import { refusalWords } from './machines';
import type { StateLook } from '../look';
import { stateLook } from './state';

/** An entry that another machine reported about an agent; lists are oldest first. */
export type MachineReport = { readonly at: number } & (
  | { readonly kind: 'state'; readonly state: AgentState['kind'] | null }
  | { readonly kind: 'incident'; readonly facts: IncidentFacts }
  | { readonly kind: 'message'; readonly action: MessageKind; readonly viewer: string }
  /** `state`: as written in the receipt. */
  | { readonly kind: 'receipt'; readonly action: MessageKind; readonly state: string; readonly reason: string }
);

/** One line of a machine's reports. */
export interface ReportRow {
  readonly at: number;
  readonly look: StateLook;
  readonly words: string;
}

const STATES: Readonly<Record<AgentState['kind'], string>> = {
  escalated: 'Needs you',
  recovering: 'Recovering',
  stuck: 'Stuck',
  waiting: 'Waiting',
  stalled: 'No output',
  not_monitored: 'Not monitored',
  working: 'Working',
  finished: 'Finished',
};

/** Returns whether this is the name of a state. */
export function isStateKind(text: string): text is AgentState['kind'] {
  return Object.hasOwn(STATES, text);
}

/** Describes an entry in one line; null for an entry of a later version. */
export function reportRow(report: MachineReport, now: number): ReportRow | null {
  const { at } = report;
  switch (report.kind) {
    case 'state':
      return report.state && { at, look: stateLook({ kind: report.state, since: at }), words: STATES[report.state] };
    case 'incident': {
      const { facts } = report;
      const words = [incidentTitle(facts, now), incidentDescription(facts, now)]
        .filter((part) => part !== '')
        .join(', ');
      return { at, look: incidentLook(facts), words };
    }
    case 'message':
      return { at, look: SENT, words: `${deliveryName(report.action, 0)} from ${report.viewer}` };
    case 'receipt': {
      return { at, look: SENT, words: receiptWords(deliveryName(report.action, 0), report.state, report.reason) };
    }
  }
}

function receiptWords(what: string, state: string, reason: string): string {
  switch (state) {
    case 'queued':
      return `${what} queued`;
    case 'taken':
      return `${what} taken`;
    case 'seen':
      return `${what} seen in the transcript`;
    case 'acted':
      return `${what} acted on`;
    case 'expired':
      return `${what} expired`;
    case 'withdrawn':
      return `${what} withdrawn`;
    case 'failed':
      return `${what} not delivered`;
    case 'refused':
      return `${what} refused: ${refusalWords(reason)}`;
    // A later version has other states.
    default:
      return `${what}: ${state}`;
  }
}

const SENT: StateLook = { icon: 'send', tone: 'none' };

/** Texts above a machine's reports, and next to them. */
export const REPORTS = {
  heading: () => 'Timeline',
  label: (machine: string) => `as reported by ${machine}`,
  none: () => 'Its machine has reported nothing yet. The steps of an agent stay on its own machine.',
} as const;

/** Returns `Reported by build-1 3 s ago`. */
export function reportedAgo(machine: string, ms: number): string {
  return `Reported by ${machine} ${age(ms)} ago`;
}
