import * as z from 'zod/mini';
import { COUNTED_THINGS } from '../../core/model';
import { MESSAGE_LENGTH } from './messages';
import { PANEL_ACTIONS } from './snapshot';
import { TIMELINE_MODES } from './timeline';

const id = z.string().check(z.maxLength(128));
const index = z.int().check(z.gte(0));

function plain<const T extends string>(type: T) {
  return z.object({ type: z.literal(type) });
}

const intent = z.discriminatedUnion('type', [
  /** The panel has loaded: send a snapshot. */
  plain('ready'),
  /** Open a transcript at a line. The host opens only files that it follows itself. */
  z.object({ type: z.literal('openLine'), file: z.string().check(z.maxLength(4096)), line: index, offset: index }),
  /** Open the transcript at a step, 0-based, of the panel's session. */
  z.object({ type: z.literal('openStep'), step: index }),
  /** Open the transcript with all lines of the shown incident selected. */
  plain('openAll'),
  plain('openTranscript'),
  /** Open the hook that sends the agent back, in the agent's own settings. */
  plain('openHook'),
  /** Go to the place in this window where the agent runs. */
  plain('goTo'),
  /** The text is sent as written: the inbox redacts it. */
  z.object({
    type: z.literal('sendNudge'),
    text: z.string().check(z.maxLength(MESSAGE_LENGTH)),
    incident: z.exactOptional(id),
  }),
  /** Withdraw a queued message (*Undo*; *Edit* also puts its text into the box). */
  z.object({ type: z.literal('withdraw'), id }),
  z.object({ type: z.literal('sendAgain'), id }),
  plain('connect'),
  plain('manageTrust'),
  plain('resume'),
  /** Mute the agent for an hour. */
  plain('mute'),
  /** Declare the shown incident not stuck. */
  plain('notStuck'),
  /** Offer what may be passed on about the agent and the shown incident. */
  plain('share'),
  /** Copy the whole result of the first or last box. */
  z.object({ type: z.literal('copySample'), which: z.enum(['first', 'last']) }),
  /** Show the first and the last result as a diff in an editor. */
  plain('compareSamples'),
  /** List what a number in loop health counts. `name` is that of the tool or plan item. */
  z.object({
    type: z.literal('showCounted'),
    thing: z.enum(COUNTED_THINGS),
    name: z.exactOptional(z.string().check(z.maxLength(256))),
  }),
  /** Show the lines that were skipped, and why. */
  plain('showSkipped'),
  /** Show this incident; the current state for an empty id. */
  z.object({ type: z.literal('showIncident'), id }),
  /** Name the steps from `from` up to but not including `to`, 0-based. The host answers for the first `DESCRIBED_STEPS`. */
  z.object({ type: z.literal('describeSteps'), from: index, to: index }),
  /** Place steps like this, in this panel and in every later one. */
  z.object({ type: z.literal('timelineMode'), mode: z.enum(TIMELINE_MODES) }),
  /** Run the quality gates over the agent's work, after asking for consent if it is missing. */
  plain('runGates'),
  plain('cancelGates'),
  /** Send what failed to the agent. */
  plain('sendGates'),
  /** Open the file of a failure, by its place in the snapshot's list. */
  z.object({ type: z.literal('openFailure'), gate: id, failure: index }),
  /** Take this action on the shown incident. Restart and stop ask first. */
  z.object({ type: z.literal('recover'), action: z.enum(PANEL_ACTIONS) }),
  /** Start an ended agent again. */
  plain('restart'),
  /** Hold automatic mode for the shown incident, or let it continue. */
  z.object({ type: z.literal('hold'), on: z.boolean() }),
  /** Save the work in progress. */
  plain('saveCheckpoint'),
  /** Show the rules for this agent. */
  plain('showRules'),
  /** Show the incidents that were like this one. */
  plain('showSimilar'),
  /** Alt+F8: the next agent that needs a person. */
  plain('nextNeedingMe'),
]);

/** A request of the reader. */
export type PanelIntent = Readonly<z.output<typeof intent>>;

/**
 * Parses a request of the panel; null if it is not understood. A webview is not trusted with paths or ids, so the host checks them on arrival.
 * Unknown fields are dropped.
 */
export function parseIntent(value: unknown): PanelIntent | null {
  const parsed = intent.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Intents that are not about the agent of the panel. */
const OF_NO_AGENT: ReadonlySet<PanelIntent['type']> = new Set([
  'ready',
  'nextNeedingMe',
  'resume',
  'manageTrust',
  'timelineMode',
]);

/** Intents that change the shown incident. */
const OF_INCIDENT: ReadonlySet<PanelIntent['type']> = new Set(['recover', 'hold', 'notStuck']);

const drawn = z.object({ session: z.string(), shown: z.exactOptional(z.string()) });

/** Returns the session, and the incident (`shown`), that the page showed when its reader made this request, as far as they matter and are known. */
export function drawnBy(value: unknown, { type }: PanelIntent): Partial<z.output<typeof drawn>> {
  const parsed = drawn.safeParse(value);
  if (!parsed.success || OF_NO_AGENT.has(type)) return {};
  return OF_INCIDENT.has(type) ? parsed.data : { session: parsed.data.session };
}
