import {
  AGENT_IDS,
  type AgentState,
  DELIVERY_STATES,
  DETECTOR_IDS,
  type Doing,
  type GateFailure,
  MESSAGE_KINDS,
} from '../model';
import type { Part, Sentence } from '../words/parts';
import {
  type Read,
  boolean,
  checked,
  exact,
  index,
  line,
  list,
  literal,
  nullable,
  number,
  object,
  oneOf,
  only,
  optional,
  pair,
  partial,
  tagged,
  text,
  typed,
} from './read';
import {
  type MessageBox,
  type OtherIncident,
  PANEL_ACTIONS,
  type PanelCoverage,
  type PanelDelivery,
  type PanelEvidence,
  type PanelFlags,
  type PanelGate,
  type PanelGates,
  type PanelHelpedBefore,
  type PanelIncident,
  type PanelNearMiss,
  type PanelRecovery,
  type PanelRung,
  type PanelSample,
  type PanelSnapshot,
  SNAPSHOT_VERSION,
  type Vitals,
} from './snapshot';
import type { Lead, Reach, Watch } from '../words';
import type { PanelMarker, StepSubjects, TimelineData, TimelinePattern } from './timeline';
import { MESSAGE_LENGTH } from './messages';

/** Limits of what a panel shows; what is longer is cut where it is text and refused where it is a list. */
const SUBJECT = 200;
const PATH = 4096;
const STEPS = 200_000;
const SAMPLE = 16_384;

const subject = line(SUBJECT);
const id = exact(128);

const part: Read<Part> = object<Part>({
  text: line(1000),
  code: optional(literal(true)),
  strong: optional(literal(true)),
});
const sentence: Read<Sentence> = list(part, 50);

const state: Read<AgentState> = object<AgentState>({
  kind: oneOf(['escalated', 'recovering', 'stuck', 'waiting', 'stalled', 'not_monitored', 'working', 'finished']),
  since: number,
  waitingFor: optional(oneOf(['permission', 'question', 'turn_end'])),
  question: optional(line(500)),
  ended: optional(oneOf(['clean', 'interrupted', 'died', 'error'])),
});

const doing: Read<Doing> = object<Doing>({ kind: oneOf(['model', 'tool']), subject, since: number });
const messageKind = oneOf(MESSAGE_KINDS);
const watch: Read<Watch> = object<Watch>({
  kind: optional(messageKind),
  nudge: index,
  takenAt: number,
  seen: index,
  fresh: index,
});

type LeadOf<K extends Lead['kind']> = Extract<Lead, { kind: K }>;
const lead: Read<Lead> = tagged<'kind', Lead>('kind', {
  incident: object<LeadOf<'incident'>>({ kind: literal('incident'), why: sentence }),
  recovering: object<LeadOf<'recovering'>>({ kind: literal('recovering'), watch, before: sentence }),
  working: object<LeadOf<'working'>>({
    kind: literal('working'),
    fresh: index,
    of: index,
    progress: optional(object({ kind: oneOf(['edit', 'check_passed', 'plan_item', 'commit']), at: number })),
    doing: optional(doing),
  }),
  waiting: object<LeadOf<'waiting'>>({
    kind: literal('waiting'),
    for: oneOf(['permission', 'question', 'turn_end']),
    question: optional(line(500)),
  }),
  stalled: object<LeadOf<'stalled'>>({
    kind: literal('stalled'),
    since: number,
    doing: optional(doing),
    limit: optional(number),
  }),
  not_monitored: object<LeadOf<'not_monitored'>>({
    kind: literal('not_monitored'),
    linesPerSecond: number,
    lines: index,
  }),
  finished: object<LeadOf<'finished'>>({
    kind: literal('finished'),
    ended: oneOf(['clean', 'interrupted', 'died', 'error']),
    ran: number,
    doing: optional(doing),
  }),
});

type ReachOf<K extends Reach['kind']> = Extract<Reach, { kind: K }>;
const reach: Read<Reach> = tagged<'kind', Reach>('kind', {
  next_call: only('kind', 'next_call'),
  long_call: object<ReachOf<'long_call'>>({
    kind: literal('long_call'),
    call: subject,
    since: number,
    until: optional(number),
  }),
  wakes: only('kind', 'wakes'),
  next_prompt: only('kind', 'next_prompt'),
  not_loaded: only('kind', 'not_loaded'),
  hanging: only('kind', 'hanging'),
  not_connected: only('kind', 'not_connected'),
  hindered: object<ReachOf<'hindered'>>({
    kind: literal('hindered'),
    why: oneOf(['untrusted', 'no_folder', 'finished', 'waits_for_permission', 'waits_for_answer']),
  }),
});

const flags: Read<PanelFlags> = object<PanelFlags>({
  restricted: boolean,
  paused: boolean,
  gone: boolean,
  storeLocked: boolean,
});

const vitals: Read<Vitals> = object<Vitals>({
  startedAt: number,
  endedAt: optional(number),
  contextTokens: optional(number),
  contextWindow: optional(number),
  calls: index,
  failures: index,
  failuresInARow: index,
  malformed: index,
  lastNew: optional(object({ at: number, step: index })),
  lastProgress: optional(object({ at: number, text: subject })),
});

const place = { file: exact(PATH), line: index, offset: index };

const evidence: Read<PanelEvidence> = object<PanelEvidence>({
  ...place,
  role: oneOf(['first', 'repeat', 'between']),
  at: number,
  step: optional(index),
  letter: optional(line(2)),
  subject,
  text: subject,
});

const sample: Read<PanelSample> = checked(
  object<PanelSample>({ ...place, at: number, text: text(SAMPLE), ignored: list(pair(index), 4096) }),
  ({ ignored }) => ignored.every(([start, end], at) => end > start && start >= (ignored[at - 1]?.[1] ?? 0)),
  'ascending ranges that do not overlap',
);

const detector = oneOf(DETECTOR_IDS);
const rule = nullable(
  oneOf(['known_outcomes', 'few_distinct', 'argument_churn', 'same_error', 'peers', 'outage'] as const),
);
const incidentState = oneOf(['open', 'nudged', 'recovered', 'escalated', 'muted', 'ended', 'unknown'] as const);

const incident: Read<PanelIncident> = object<PanelIncident>({
  id,
  detector,
  rule,
  level: oneOf(['warn', 'stuck']),
  certainty: oneOf(['counted', 'guessed']),
  confidence: number,
  state: incidentState,
  active: boolean,
  count: number,
  firstAt: number,
  subject,
  why: sentence,
  clears: list(sentence, 10),
  evidence: list(evidence, 200),
  first: optional(sample),
  last: optional(sample),
});

const other: Read<OtherIncident> = object<OtherIncident>({
  id,
  state: incidentState,
  detector,
  rule,
  subject,
  count: number,
  firstAt: number,
  resolvedAt: nullable(number),
  cleared: nullable(
    oneOf([
      'different_result',
      'not_back',
      'user_message',
      'session_end',
      'progress',
      'tool_call',
      'turn_end',
      'new_text',
      'success',
      'well_formed',
      'gates_passed',
      'new_line',
      'off',
    ]),
  ),
  outcome: nullable(oneOf(['nudge', 'restart', 'block', 'gate', 'by_itself', 'user'])),
  attempts: index,
});

export const subjects: Read<StepSubjects> = object<StepSubjects>({ from: index, subjects: list(subject, 1000) });

const pattern: Read<TimelinePattern> = object<TimelinePattern>({
  group: id,
  letter: line(2),
  subject,
  steps: list(index, 1000),
  count: index,
  words: line(60),
  held: boolean,
});

const marker: Read<PanelMarker> = object<PanelMarker>({
  kind: oneOf(['user', 'compacted', 'nudge', 'gate_failed', 'gate_passed', 'commit', 'recovered', 'stuck']),
  at: number,
  step: index,
  text: subject,
  number: optional(index),
});

const timeline: Read<TimelineData> = checked(
  object<TimelineData>({
    from: index,
    at: typed(Float64Array, STEPS),
    flags: typed(Uint8Array, STEPS),
    outcomes: typed(Uint32Array, STEPS),
    lines: typed(Uint32Array, STEPS),
    subjects,
    patterns: list(pattern, 100),
    markers: list(marker, 2000),
    silentSince: optional(number),
  }),
  (data) => [data.flags, data.outcomes, data.lines].every((one) => one.length === data.at.length),
  'arrays of one length',
);

const message: Read<MessageBox> = object<MessageBox>({
  number: index,
  open: boolean,
  draft: text(MESSAGE_LENGTH),
  reach,
  incident: optional(id),
});

const delivery: Read<PanelDelivery> = object<PanelDelivery>({
  id,
  kind: messageKind,
  number: index,
  state: oneOf(DELIVERY_STATES),
  times: partial(DELIVERY_STATES, number),
  outcome: optional(oneOf(['changed', 'same'])),
  watched: index,
  connected: boolean,
  reason: optional(line(SUBJECT)),
  text: text(MESSAGE_LENGTH),
});

const coverage: Read<PanelCoverage> = object<PanelCoverage>({
  seen: index,
  there: index,
  skipped: index,
  lastReadAt: number,
  since: optional(number),
});

const nearMiss: Read<PanelNearMiss> = object<PanelNearMiss>({
  detector,
  rule,
  nearest: subject,
  reached: number,
  limit: number,
  heldBackBy: optional(subject),
});

const gateFailure: Read<GateFailure> = object<GateFailure>({
  file: optional(line(PATH)),
  line: optional(index),
  column: optional(index),
  message: line(400),
  test: optional(line(400)),
});

const gate: Read<PanelGate> = object<PanelGate>({
  id: exact(128),
  name: line(80),
  command: line(1000),
  status: oneOf(['passed', 'failed', 'skipped', 'running', 'not_run']),
  reason: line(400),
  summary: line(400),
  startedAt: number,
  ms: number,
  failures: list(gateFailure, 50),
  more: index,
});

const gates: Read<PanelGates> = object<PanelGates>({
  cause: oneOf(['claim', 'command']),
  claim: line(SUBJECT),
  startedAt: number,
  endedAt: nullable(number),
  verdict: oneOf(['running', 'passed', 'failed', 'none', 'cancelled']),
  attempt: index,
  results: list(gate, 50),
  message: optional(id),
  notSent: optional(line(400)),
});

const rung: Read<PanelRung> = object<PanelRung>({
  number: index,
  name: line(80),
  state: oneOf(['done', 'current', 'coming', 'off']),
  note: line(400),
});

const recovery: Read<PanelRecovery> = object<PanelRecovery>({
  rungs: list(rung, 20),
  label: line(60),
  actions: list(
    object<PanelRecovery['actions'][number]>({ action: oneOf(PANEL_ACTIONS), possible: boolean, text: line(400) }),
    PANEL_ACTIONS.length,
  ),
  automatic: nullable(
    object<NonNullable<PanelRecovery['automatic']>>({ held: boolean, nextAt: optional(number), text: line(400) }),
  ),
});

const helpedBefore: Read<PanelHelpedBefore> = object<PanelHelpedBefore>({
  ways: list(object<PanelHelpedBefore['ways'][number]>({ name: line(60), helped: index, tried: index }), 10),
  similar: list(id, 20),
});

export const snapshot: Read<PanelSnapshot> = object<PanelSnapshot>({
  version: literal(SNAPSHOT_VERSION),
  now: number,
  agent: oneOf(AGENT_IDS),
  session: exact(256),
  title: line(120),
  agentName: line(60),
  model: optional(line(80)),
  branch: optional(line(120)),
  pid: optional(index),
  state,
  watch: optional(watch),
  flags,
  lead,
  incident: nullable(incident),
  others: list(other, 100),
  vitals,
  timeline,
  nearMisses: list(nearMiss, 60),
  message: nullable(message),
  deliveries: list(delivery, 20),
  coverage,
  gates: optional(gates),
  recovery: optional(recovery),
  helpedBefore: optional(helpedBefore),
});
