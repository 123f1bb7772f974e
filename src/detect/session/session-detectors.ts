import type {
  AgentEvent,
  AgentId,
  Clearing,
  DetectorId,
  DetectorOptions,
  Finding,
  NearMiss,
  ProgressMarker,
  RaisedLimit,
  TurnEnds,
} from '../../core/model';
import { CARDS, cardOf } from '../../core/rules';
import { DETECTORS } from '../rules';
import { SessionContext } from './context';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from './detector';
import { addsSomething } from './prompts';
import type { Step } from '../steps/step';
import type { GateRun } from './gate-run';
import type { LoopCandidate } from '../streaks/candidate';
import { LoopBook } from '../streaks/loops';
import { RaisedLimits, YOU_SAID } from '../streaks/raised';
import { createStepBuilder, release } from '../steps/step-builder';
import { type Paired, createStepAssembler } from '../steps/steps';

export interface SessionDetectorsInput {
  readonly agent: AgentId;
  /** False if the format does not show a running tool: silence then requires more patience. */
  readonly showsRunningTool: boolean;
  /** Where absent, the session shows it. */
  readonly turnEnds?: TurnEnds | undefined;
  /** False if the format does not record calls. */
  readonly holdsCalls?: boolean | undefined;
  /** Returns whether it is the person's move at this time. Where absent, only the session's own events decide. */
  readonly isPersonsMove?: (at: number) => boolean;
  readonly options: Readonly<Record<DetectorId, DetectorOptions>>;
  /** Limits that a person raised (*Not Stuck*). */
  readonly raised?: readonly RaisedLimit[];
}

/** Receiver of the reports of a session's detectors, in the order in which they are made. */
export interface DetectSignals {
  finding(finding: Finding): void;
  clearing(clearing: Clearing): void;
  nearMiss(nearMiss: NearMiss): void;
  /** Called before the clearings and findings of the step, which is valid only during the call. */
  step?(step: Step): void;
  /** Called after the clearings and findings of the step in which it was found. */
  progress?(marker: ProgressMarker): void;
}

/** All detectors of one session: events and time go in, findings come out. */
export interface SessionDetectors {
  push(event: AgentEvent): void;
  tick(now: number): void;
  /** Reports that the machine has slept until now. Milliseconds since the epoch. */
  woke(at: number): void;
  /** Takes a run of the quality gates over work that the agent claims to be done. */
  gates(run: GateRun): void;
  /** Returns the current counts of rules about time. Milliseconds since the epoch. */
  lasting(now: number): readonly NearMiss[];
  /** Returns the next time at which `tick` could report something new, in milliseconds since the epoch; Infinity if only an event can. */
  deadline(): number;
  /** Sets new thresholds from now on; counts are kept. A detector that is switched off clears its open findings. */
  setOptions(options: Readonly<Record<DetectorId, DetectorOptions>>): void;
  /** Sets the limits that a person raised. Findings that they no longer hold back are reported at once. */
  setRaised(raised: readonly RaisedLimit[]): void;
  readonly context: DetectContext;
}

/** One running detector, with the numbers that it reads at every use. */
interface Running {
  readonly detector: Detector;
  readonly options: DetectorOptions;
  readonly sink: SessionSink;
}

/** Receiver of one detector's reports. */
class SessionSink implements DetectorSink {
  /** Keys of its open findings; most have none. */
  private open: Set<string> | null = null;

  constructor(
    private readonly signals: DetectSignals,
    private readonly book: LoopBook,
    private readonly raised: RaisedLimits,
  ) {}

  finding(finding: Finding): void {
    const { detector, rule, subject, count, at, source } = finding;
    const limit = this.raised.limitFor(detector, rule, [finding]);
    if (count < limit) {
      this.nearMiss({ detector, rule, nearest: subject, reached: count, limit, heldBackBy: YOU_SAID, at, source });
      return;
    }
    this.open ??= new Set();
    this.open.add(finding.key);
    this.signals.finding(finding);
  }

  clearing(clearing: Clearing): void {
    this.open?.delete(clearing.key);
    this.signals.clearing(clearing);
  }

  nearMiss(nearMiss: NearMiss): void {
    this.signals.nearMiss(nearMiss);
  }

  loop(candidate: LoopCandidate): void {
    this.book.offer(candidate);
  }

  /** Returns and forgets the keys of everything open, which nothing else will clear. */
  takeOpen(): readonly string[] {
    const keys = [...(this.open ?? [])];
    this.open = null;
    return keys;
  }
}

/**
 * Creates the detectors of one session.
 *
 * Each event costs the same, whatever the length of the session; memory is bounded, and of a transcript's texts only short copies are kept.
 * `detectors` is for tests; all of them by default.
 */
export function createSessionDetectors(
  input: SessionDetectorsInput,
  signals: DetectSignals,
  detectors: readonly DetectorDefinition[] = DETECTORS,
): SessionDetectors {
  const assembler = createStepAssembler();
  const builder = createStepBuilder();
  const { agent, showsRunningTool, turnEnds } = input;
  const results = (): string => builder.samples.text();
  const context = new SessionContext(
    agent,
    showsRunningTool,
    assembler.pending,
    results,
    turnEnds,
    input.holdsCalls,
    input.isPersonsMove,
  );
  const running = new Map<DetectorId, Running>();
  const raised = new RaisedLimits(input.raised);
  const book = new LoopBook({
    finding: (finding) => signals.finding(finding),
    clearing: (clearing) => signals.clearing(clearing),
    nearMiss: (nearMiss) => signals.nearMiss(nearMiss),
    raised,
    sample: (index) => {
      const step = context.steps.step(index);
      return step && builder.samples.sample(step);
    },
    options: (id) => running.get(id)?.options,
  });

  /** Findings of rules that judge what surrounds the steps: reported after those of the steps themselves. */
  const surrounding: Finding[] = [];
  const reportSurrounding = (): void => {
    if (surrounding.length > 0) for (const finding of surrounding.splice(0)) signals.finding(finding);
  };
  for (const definition of detectors) {
    // A copy, whose numbers change with the settings.
    const options = { ...input.options[definition.id] };
    const receiver =
      cardOf(definition.id).ofContext === true
        ? { ...signals, finding: (finding: Finding) => void surrounding.push(finding) }
        : signals;
    const sink = new SessionSink(receiver, book, raised);
    running.set(definition.id, { detector: definition.create(options, sink), options, sink });
  }
  /** Enabled detectors by the events that they receive: most receive few events, and are not called for the others. */
  let listeners = listen(running);

  const stepped = (step: Step): void => {
    context.steps.add(step);
    if (step.isNew) {
      context.lastNewStep = step.index;
      context.lastNewAt = step.at;
    }
    if (step.progress) context.progressed(step.progress);
    signals.step?.(step);
    for (const detector of listeners.steps) detector.onStep?.(step, context);
    book.settle(step, context);
    reportSurrounding();
    if (step.progress) progressed(step.progress);
    release(step);
  };

  const progressed = (marker: ProgressMarker): void => {
    for (const detector of listeners.progress) detector.onProgress?.(marker, context);
    reportSurrounding();
    signals.progress?.(marker);
  };

  const paired: Paired = (call, result, message, isReminded) => {
    const { cwd, totalTokens: tokens, prompts, prompt, stepsAtPrompt, stepsAtSchedule, stepCount } = context;
    const isOfFirstMessage = stepsAtPrompt === stepCount || context.steps.step(stepsAtPrompt)?.message === message;
    const isAsked = prompt.asksAgain && isOfFirstMessage;
    stepped(builder.build(call, result, { cwd, tokens, message, prompts, isAsked, isReminded, stepsAtSchedule }));
  };

  return {
    context,

    push(event) {
      context.take(event);
      if (addsSomething(event, context)) book.clearAll('user_message', event.at, event.source, context.message);
      else if (event.type === 'session_end') book.clearAll('session_end', event.at, event.source, context.message);
      for (const detector of listeners.hearers(event.type)) detector.onEvent?.(event, context);
      book.settleEvent(context);
      reportSurrounding();
      if (event.type === 'plan') {
        const marker = builder.plan(event);
        if (marker) {
          context.progressed(marker);
          progressed(marker);
        }
      }
      assembler.push(event, paired);
    },

    tick(now) {
      if (now > context.now) context.now = now;
      for (const detector of listeners.ticks) detector.onTick?.(now, context);
      reportSurrounding();
    },

    woke(at) {
      for (const detector of listeners.wakes) detector.onWake?.(at);
    },

    gates(run) {
      for (const detector of listeners.gates) detector.onGates?.(run, context);
      reportSurrounding();
    },

    lasting(now) {
      return listeners.lasting.flatMap((detector) => detector.lasting?.(now) ?? []);
    },

    deadline() {
      let next = Number.POSITIVE_INFINITY;
      for (const detector of listeners.deadlines) next = Math.min(next, detector.deadline?.() ?? next);
      return next;
    },

    setOptions(resolved) {
      for (const [id, { options, sink }] of running) {
        const wasOn = options.on;
        Object.assign(options, resolved[id]);
        if (!wasOn && options.on) book.switchedOn(id);
        if (!wasOn || options.on) continue;
        book.switchedOff(id, context.now, context.message);
        for (const key of sink.takeOpen()) {
          signals.clearing({ detector: id, key, reason: 'off', at: context.now, source: null });
        }
      }
      listeners = listen(running);
    },

    setRaised(limits) {
      raised.take(limits);
      book.raisedChanged(context);
    },
  };
}

/** Rules that count steps. They run even while they are off: the streaks of a rule that is switched off must not be reported by another rule. */
const STEP_RULES: ReadonlySet<DetectorId> = new Set(CARDS.filter(({ streak }) => streak).map(({ id }) => id));

function listen(running: ReadonlyMap<DetectorId, Running>) {
  const those = (isOf: (id: DetectorId, isOn: boolean) => boolean): Detector[] =>
    [...running.entries()].filter(([id, { options }]) => isOf(id, options.on)).map(([, { detector }]) => detector);
  const on = those((id, isOn) => isOn || STEP_RULES.has(id));
  // Once it is on again, the rule for silence must know of the lines that were written in the meantime.
  const heard = those((id, isOn) => isOn || STEP_RULES.has(id) || id === 'stall');
  const having = (name: keyof Detector, of = on): Detector[] => of.filter((detector) => detector[name] !== undefined);
  return {
    hearers: byType(having('onEvent', heard)),
    steps: having('onStep'),
    progress: having('onProgress'),
    ticks: having('onTick'),
    wakes: having('onWake', heard),
    gates: having('onGates'),
    deadlines: having('deadline'),
    lasting: having('lasting'),
  };
}

/** Returns the detectors that receive an event, by its type. */
function byType(detectors: readonly Detector[]): (type: AgentEvent['type']) => readonly Detector[] {
  const known = new Map<AgentEvent['type'], readonly Detector[]>();
  return (type) => {
    let hearers = known.get(type);
    if (hearers === undefined) {
      hearers = detectors.filter(({ hears }) => hears === undefined || hears.includes(type));
      known.set(type, hearers);
    }
    return hearers;
  };
}
