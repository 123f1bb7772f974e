import {
  attemptsOf,
  wasSeen,
  type AgentView,
  type Doing,
  type GateReport,
  type Incident,
  type MachineOfAgent,
  type Sample,
} from '../../core/model';
import { signsInLine } from '../../base/util/showable';
import { withCode } from '../../core/words/parts';
import type {
  MessageBox,
  OtherIncident,
  PanelDelivery,
  PanelFlags,
  PanelGates,
  PanelIncident,
  PanelSample,
  PanelSnapshot,
  PanelHealth,
  Vitals,
} from './snapshot';
import { showable } from './showable';
import {
  beforeRecovery,
  expiryOf,
  type Lead,
  type Reach,
  type Relief,
  reliefOf,
  type Told,
  toldRow,
  type Watch,
} from '../../core/words';
import { patternsOf } from './patterns';
import { type PanelMarker, type StepSubjects, stampPatterns } from './timeline';
import { type NumberedDelivery, type StepsInTime, numbered, stepsSince, takenAt, watchOf } from './watch';

/** The steps of the engine's timeline, copied for this one message: the flags are written to. */
export interface StepArrays {
  readonly from: number;
  readonly at: Float64Array;
  readonly flags: Uint8Array;
  readonly outcomes: Uint32Array;
  readonly lines: Uint32Array;
}

/** What a snapshot is made of. Everything that needs I/O or a decision is decided already. */
export interface SnapshotInput {
  readonly view: AgentView;
  readonly steps: StepArrays;
  readonly subjects: StepSubjects;
  readonly markers: readonly PanelMarker[];
  /** What its machine told of it, where it runs on another one; oldest first. */
  readonly told?: readonly Told[];
  /** Past incidents of the session, the newest first. */
  readonly past: readonly Incident[];
  /** Id of the incident that the reader chose; the gravest active one without it. */
  readonly chosen?: string;
  readonly flags: PanelFlags;
  /** A restart was clicked, and waits until a person has closed the agent. */
  readonly closing?: boolean;
  /** The draft for the shown incident; empty for none. */
  readonly draft: string;
  /** Null where no message can reach this kind of agent. */
  readonly reach: Reach | null;
  readonly connected: boolean;
  readonly notTested?: string | null;
  readonly recovery?: PanelSnapshot['recovery'];
  readonly helpedBefore?: PanelSnapshot['helpedBefore'];
  readonly now: number;
}

/** Steps that the lead of a healthy agent counts. */
const RECENT = 10;
/** Deliveries and other incidents that a panel lists. */
const DELIVERIES = 5;
const OTHERS = 20;
/** Failures that a panel lists of one gate. */
const FAILURES = 10;
/** Tools, and plan items, that are counted one by one. */
const COUNTED_ROWS = 12;

/** Makes the panel's snapshot of one agent, with texts that are safe to show. Pure. */
export function panelSnapshot(input: SnapshotInput): PanelSnapshot {
  return showable(snapshotOf(input));
}

function snapshotOf(input: SnapshotInput): PanelSnapshot {
  const { view, now } = input;
  const all = [...view.incidents, ...input.past.filter((past) => !view.incidents.some((one) => one.id === past.id))];
  const chosen = all.find((incident) => incident.id === input.chosen);
  const shown = chosen ?? view.incidents[0] ?? null;
  const deliveries = numbered(view.deliveries, all);
  const steps = stepsInTime(input.steps);
  const watch = watchOf(view, all, steps);
  const patterns = all.slice(0, OTHERS).reverse().flatMap(patternsOf);
  stampPatterns(input.steps.flags, input.steps.from, patterns);
  return {
    now,
    agent: view.agent,
    session: view.session,
    title: view.title,
    agentName: view.agentName,
    ...(view.model !== undefined && { model: view.model }),
    ...(view.branch !== undefined && { branch: view.branch }),
    ...(view.pid !== undefined && { pid: view.pid }),
    state: view.state,
    ...(watch && { watch }),
    ...(view.machine && toldOf(view.machine, input)),
    flags: input.flags,
    lead: relieved(leadOf(view, shown, chosen !== undefined, watch, input), chosen, all, input),
    incident: shown && incidentOf(shown),
    others: all
      .filter((incident) => incident !== shown)
      .slice(0, OTHERS)
      .map(otherOf),
    vitals: vitalsOf(view),
    health: healthOf(view),
    timeline: {
      ...input.steps,
      subjects: input.subjects,
      patterns,
      markers: input.markers,
      ...(view.doing && { silentSince: view.health.lastEventAt }),
    },
    nearMisses: view.nearMisses.map(({ detector, rule, nearest, reached, limit, heldBackBy }) => ({
      detector,
      rule,
      nearest,
      reached,
      limit,
      ...(heldBackBy !== undefined && { heldBackBy }),
    })),
    message: input.flags.past === true ? null : messageOf(shown, deliveries, input),
    deliveries: deliveries
      .slice(-DELIVERIES)
      .reverse()
      .map((one) => deliveryOf(one, steps, input)),
    coverage: {
      seen: view.coverage.seen,
      there: view.coverage.there,
      skipped: view.coverage.skipped,
      lastReadAt: view.coverage.lastReadAt,
      ...(view.coverage.since !== undefined && { since: view.coverage.since }),
    },
    ...(view.gates && { gates: gatesOf(view.gates) }),
    ...(input.recovery && { recovery: input.recovery }),
    ...(input.helpedBefore && { helpedBefore: input.helpedBefore }),
  };
}

function toldOf(machine: MachineOfAgent, { told = [], now }: SnapshotInput): Pick<PanelSnapshot, 'machine' | 'told'> {
  const { name, presence, lastSeenAt } = machine;
  return { machine: { name, presence, lastSeenAt }, told: told.flatMap((one) => toldRow(one, now) ?? []) };
}

function gatesOf({
  cause,
  claim,
  startedAt,
  endedAt,
  verdict,
  attempt,
  results,
  message,
  notSent,
}: GateReport): PanelGates {
  return {
    cause,
    claim,
    startedAt,
    endedAt,
    verdict,
    attempt,
    results: results.map((gate) => ({
      id: gate.id,
      name: gate.name,
      command: gate.command,
      status: gate.status,
      reason: gate.reason,
      summary: gate.summary,
      startedAt: gate.startedAt,
      ms: gate.ms,
      // A file of a failure is opened by its place in this list; its name is only shown.
      failures: gate.failures
        .slice(0, FAILURES)
        .map((failure) => (failure.file === undefined ? failure : { ...failure, file: signsInLine(failure.file) })),
      more: Math.max(0, Math.max(gate.failures.length, gate.failed ?? 0) - FAILURES),
    })),
    ...(message !== undefined && { message }),
    ...(notSent !== undefined && { notSent }),
  };
}

function stepsInTime({ at, flags }: StepArrays): StepsInTime {
  return {
    length: at.length,
    at: (place) => at[place] ?? 0,
    wasSeen: (place) => wasSeen(flags[place] ?? 0),
  };
}

function leadOf(
  view: AgentView,
  shown: Incident | null,
  isChosen: boolean,
  watch: Watch | undefined,
  input: SnapshotInput,
): Lead {
  const { state, doing } = view;
  const incident = (one: Incident): Lead => ({ kind: 'incident', why: withCode(one.why) });
  if (isChosen && shown) return incident(shown);
  if (input.closing) return { kind: 'closing', agentName: view.agentName };
  switch (state.kind) {
    case 'recovering':
      if (shown && watch) {
        const before = beforeRecovery(shown.detector, shown.rule, shown.subject, shown.count);
        return { kind: 'recovering', watch, before };
      }
      return shown ? incident(shown) : workingLead(view, input);
    case 'escalated':
    case 'stuck':
      return shown ? incident(shown) : workingLead(view, input);
    case 'waiting':
      if (state.interrupted) return { kind: 'interrupted', was: shown?.level === 'stuck' ? withCode(shown.why) : null };
      if (state.probable) return { kind: 'probably_waiting', since: state.since, ...maybeDoing(doing) };
      return {
        kind: 'waiting',
        for: state.waitingFor ?? 'question',
        ...(state.question !== undefined && { question: state.question }),
      };
    case 'stalled':
      return {
        kind: 'stalled',
        since: state.since,
        ...maybeDoing(doing),
      };
    case 'not_monitored':
      if (!state.lost) return { kind: 'not_monitored' };
      return {
        kind: 'lost',
        presence: state.lost,
        since: state.since,
        before: shown?.level === 'stuck' ? withCode(shown.why) : null,
      };
    case 'finished':
      return {
        kind: 'finished',
        ended: state.ended ?? 'clean',
        ran: Math.max(0, state.since - view.health.startedAt),
        ...maybeDoing(doing),
      };
    case 'working':
      return workingLead(view, input);
  }
}

/** Some time after it was freed the panel says so, before what the agent does now. */
const RELIEF_MS = 10 * 60_000;

function relieved(lead: Lead, chosen: Incident | undefined, all: readonly Incident[], input: SnapshotInput): Lead {
  const relief = chosen ? reliefOf(chosen) : freshRelief(lead, all, input);
  return relief ? { kind: 'freed', relief, now: lead } : lead;
}

/** What freed a healthy agent last. A hint that is still open is not what it was freed of, so it hides nothing. */
function freshRelief(lead: Lead, all: readonly Incident[], { view, now }: SnapshotInput): Relief | null {
  const healthy =
    lead.kind === 'working' ||
    lead.kind === 'working_there' ||
    lead.kind === 'waiting' ||
    (lead.kind === 'finished' && lead.ended === 'clean');
  if (!healthy || view.incidents.some(({ level }) => level === 'stuck')) return null;
  // Of a warning only where somebody did something about it.
  const last = all.find((one) => one.level === 'stuck' || reliefOf(one)?.automated === false);
  const relief = last ? reliefOf(last) : null;
  return relief && now - relief.progress.at < RELIEF_MS ? relief : null;
}

function workingLead(view: AgentView, { steps }: SnapshotInput): Lead {
  const { lastNewAt, lastProgress } = view.health;
  if (view.machine)
    return {
      kind: 'working_there',
      ...(lastNewAt !== undefined && { lastNewAt }),
      ...(lastProgress && { progress: { kind: lastProgress.kind, at: lastProgress.at } }),
      ...maybeDoing(view.doing),
    };
  const recent = steps.flags.subarray(Math.max(0, steps.flags.length - RECENT));
  const fresh = recent.reduce((count, flags) => count + (wasSeen(flags) ? 0 : 1), 0);
  const progress = view.health.lastProgress;
  return {
    kind: 'working',
    fresh,
    of: recent.length,
    ...(progress && { progress: { kind: progress.kind, at: progress.at } }),
    ...maybeDoing(view.doing),
  };
}

function maybeDoing(doing: Doing | undefined): { doing?: Doing } {
  return doing ? { doing } : {};
}

function incidentOf(incident: Incident): PanelIncident {
  const sample = (name: 'first' | 'last', from: Sample | undefined) => (from ? { [name]: sampleOf(from) } : {});
  return {
    id: incident.id,
    detector: incident.detector,
    rule: incident.rule,
    level: incident.level,
    certainty: incident.certainty,
    state: incident.state,
    outcome: incident.outcome,
    cleared: incident.cleared,
    count: incident.count,
    firstAt: incident.firstAt,
    resolvedAt: incident.resolvedAt,
    subject: incident.subject,
    why: withCode(incident.why),
    clears: incident.clears.map((clause) => withCode(clause)),
    evidence: incident.evidence.map((row) => ({
      ...row.source,
      role: row.role,
      at: row.at,
      subject: row.subject,
      text: row.text + savedIn(incident, row.end?.line),
      ...(row.step !== undefined && { step: row.step }),
      ...(row.letter !== undefined && { letter: row.letter }),
    })),
    ...sample('first', incident.firstSample),
    ...sample('last', incident.lastSample),
  };
}

/** Where the text of an oversized result was saved. */
function savedIn(incident: Incident, line: number | undefined): string {
  const file = incident.spills?.find((one) => one.line === line)?.file;
  return file === undefined ? '' : `, saved for a day in ${file}`;
}

function sampleOf(sample: Sample): PanelSample {
  return { ...sample.source, at: sample.at, text: sample.text, ignored: sample.ignored };
}

function otherOf(incident: Incident): OtherIncident {
  return {
    id: incident.id,
    state: incident.state,
    level: incident.level,
    detector: incident.detector,
    rule: incident.rule,
    subject: incident.subject,
    count: incident.count,
    firstAt: incident.firstAt,
    resolvedAt: incident.resolvedAt,
    cleared: incident.cleared,
    outcome: incident.outcome,
    attempts: attemptsOf(incident),
  };
}

function vitalsOf({ health, state }: AgentView): Vitals {
  return {
    startedAt: health.startedAt,
    ...(state.kind === 'finished' && { endedAt: state.since }),
    ...(health.contextTokens !== undefined && { contextTokens: health.contextTokens }),
    ...(health.contextWindow !== undefined && { contextWindow: health.contextWindow }),
    calls: health.calls,
    failures: health.failures,
    failuresInARow: health.failuresInARow,
    malformed: health.validationFailures,
    ...(health.lastNewAt !== undefined && {
      lastNew: {
        at: health.lastNewAt,
        ...(health.lastNewStep !== undefined && { step: health.lastNewStep }),
      },
    }),
    ...(health.lastProgress && { lastProgress: { at: health.lastProgress.at, text: health.lastProgress.text } }),
  };
}

function healthOf({ health, plan }: AgentView): PanelHealth {
  const mostFirst = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).sort(([, one], [, other]) => other - one);
  const tools = mostFirst(health.callsByTool);
  const titles = new Map(plan.map(({ id, title }) => [id, title]));
  return {
    calls: health.calls,
    failures: health.failures,
    failuresInARow: health.failuresInARow,
    tools: tools.slice(0, COUNTED_ROWS).map(([name, calls]) => ({ name, calls })),
    otherCalls: tools.slice(COUNTED_ROWS).reduce((sum, [, calls]) => sum + calls, 0),
    malformed: health.validationFailures,
    malformedInARow: health.validationFailuresInARow,
    claims: health.gateAttempts,
    blocked: mostFirst(health.blockedByPlanItem)
      .slice(0, COUNTED_ROWS)
      .map(([id, times]) => ({ id, title: titles.get(id) ?? id, times })),
    ...(health.contextTokens !== undefined && { contextTokens: health.contextTokens }),
    ...(health.contextWindow !== undefined && { contextWindow: health.contextWindow }),
    ...(health.totalTokens !== undefined && { totalTokens: health.totalTokens }),
  };
}

function messageOf(
  shown: Incident | null,
  deliveries: readonly NumberedDelivery[],
  input: SnapshotInput,
): MessageBox | null {
  if (!input.reach) return null;
  const own = deliveries.filter(({ delivery }) => shown !== null && delivery.message.incident === shown.id);
  // What was drafted is on its way: the same once more would only be sent twice.
  const isSent = own.some(
    ({ delivery }) => delivery.message.kind === 'nudge' && ['queued', 'taken', 'seen'].includes(delivery.state),
  );
  const { kind } = input.view.state;
  const inTrouble = kind === 'stuck' || kind === 'escalated';
  return {
    number: Math.max(0, ...own.map((one) => one.number)) + 1,
    open: inTrouble,
    draft: isSent ? '' : input.draft,
    reach: input.reach,
    ...(input.connected && typeof input.notTested === 'string' && { notTested: input.notTested }),
    ...(shown && { incident: shown.id }),
  };
}

function deliveryOf({ delivery, number }: NumberedDelivery, steps: StepsInTime, input: SnapshotInput): PanelDelivery {
  const taken = takenAt(delivery);
  return {
    id: delivery.message.id,
    kind: delivery.message.kind,
    number: delivery.message.incident === undefined ? 0 : number,
    state: delivery.state,
    times: delivery.times,
    watched: taken === undefined ? 0 : stepsSince(taken, steps).seen,
    connected: input.connected,
    expiry: expiryOf(delivery.message),
    text: delivery.message.text,
    ...(delivery.onTheWay && { onTheWay: delivery.onTheWay }),
    ...(delivery.outcome !== undefined && { outcome: delivery.outcome }),
    ...(delivery.reason !== undefined && { reason: delivery.reason }),
  };
}
