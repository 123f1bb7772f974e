import { snapshot, subjects } from './check-snapshot';
import { type HostMessage, MESSAGE_LENGTH, type PanelIntent } from './messages';
import {
  type Parsed,
  type Read,
  attempt,
  boolean,
  exact,
  index,
  literal,
  object,
  oneOf,
  only,
  optional,
  tagged,
  text,
} from './read';
import { PANEL_ACTIONS, type PanelSnapshot } from './snapshot';

type From<K extends HostMessage['type']> = Extract<HostMessage, { type: K }>;
const hostMessage: Read<HostMessage> = tagged<'type', HostMessage>('type', {
  snapshot: object<From<'snapshot'>>({ type: literal('snapshot'), snapshot }),
  subjects: object<From<'subjects'>>({ type: literal('subjects'), subjects }),
  focusMessage: object<From<'focusMessage'>>({ type: literal('focusMessage'), text: optional(text(MESSAGE_LENGTH)) }),
});

/** A message of the host as the panel may use it: checked, control characters as signs, lengths capped. */
export function parseHostMessage(value: unknown): Parsed<HostMessage> {
  return attempt(hostMessage, value);
}

/** A snapshot that the panel stored itself, possibly by another version. */
export function parseSnapshot(value: unknown): Parsed<PanelSnapshot> {
  return attempt(snapshot, value);
}

type Asks<K extends PanelIntent['type']> = Extract<PanelIntent, { type: K }>;
const id = exact(128);

/** The text of a message is not cleaned: what was written is what is sent, and the inbox masks it itself. */
const intent: Read<PanelIntent> = tagged<'type', PanelIntent>('type', {
  ready: only('type', 'ready'),
  openLine: object<Asks<'openLine'>>({ type: literal('openLine'), file: exact(4096), line: index, offset: index }),
  openStep: object<Asks<'openStep'>>({ type: literal('openStep'), step: index }),
  openAll: only('type', 'openAll'),
  openTranscript: only('type', 'openTranscript'),
  sendNudge: object<Asks<'sendNudge'>>({
    type: literal('sendNudge'),
    text: exact(MESSAGE_LENGTH),
    incident: optional(id),
  }),
  withdraw: object<Asks<'withdraw'>>({ type: literal('withdraw'), id }),
  sendAgain: object<Asks<'sendAgain'>>({ type: literal('sendAgain'), id }),
  connect: only('type', 'connect'),
  manageTrust: only('type', 'manageTrust'),
  resume: only('type', 'resume'),
  mute: only('type', 'mute'),
  copySummary: only('type', 'copySummary'),
  copySample: object<Asks<'copySample'>>({ type: literal('copySample'), which: oneOf(['first', 'last']) }),
  showSkipped: only('type', 'showSkipped'),
  showIncident: object<Asks<'showIncident'>>({ type: literal('showIncident'), id }),
  describeSteps: object<Asks<'describeSteps'>>({ type: literal('describeSteps'), from: index, to: index }),
  runGates: only('type', 'runGates'),
  cancelGates: only('type', 'cancelGates'),
  sendGates: only('type', 'sendGates'),
  openFailure: object<Asks<'openFailure'>>({ type: literal('openFailure'), gate: id, failure: index }),
  recover: object<Asks<'recover'>>({ type: literal('recover'), action: oneOf(PANEL_ACTIONS) }),
  hold: object<Asks<'hold'>>({ type: literal('hold'), on: boolean }),
  saveCheckpoint: only('type', 'saveCheckpoint'),
  exportIncident: only('type', 'exportIncident'),
  showSimilar: only('type', 'showSimilar'),
  nextStuck: only('type', 'nextStuck'),
});

/** What the panel asks for, as the host may use it. */
export function parseIntent(value: unknown): Parsed<PanelIntent> {
  return attempt(intent, value);
}
