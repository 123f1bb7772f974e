/** Calls whose outcomes are remembered; the one not seen for longest is forgotten first. */
const CALLS = 256;
/** Different outcomes that are remembered of one call: its first one, and the newest of the others. */
const OUTCOMES = 8;

/** Facts about an outcome when it arrives. */
export interface KnownOutcome {
  /** Equal numbers are equal calls, as long as the call is remembered. From 1. */
  readonly signature: number;
  /** Equal numbers are equal outcomes. From 1; 0 for a result that says nothing. */
  readonly outcome: number;
  /** 1 for the first time. */
  readonly occurrence: number;
  /** Index of the last step with this outcome, -1 for the first time. */
  readonly previous: number;
  /** The call came before, and its last result was another one. */
  readonly changed: boolean;
  /** Did this call fail the last time? Null when it was never seen. */
  readonly failedBefore: boolean | null;
}

/** A result by its fingerprints, 32 bits each (mask.ts). */
export interface ResultIdentity {
  readonly raw: number;
  /** Asked for only when the call is known and none of its results is equal as it is. Never 0. */
  masked(): number;
}

interface Outcome {
  readonly token: number;
  /** Fingerprint of the raw result that came last. */
  raw: number;
  /** 0: not computed yet. */
  masked: number;
  count: number;
  /** Index of its last step. */
  step: number;
}

interface Call {
  readonly signature: number;
  /** Mostly one, so copied for a new one: an array that is pushed to has room for 17. */
  outcomes: readonly Outcome[];
  /** Its last outcome; null before its first result that says something. */
  last: Outcome | null;
  /** Did it fail the last time? */
  failed: boolean;
}

/** Remembers which outcomes of which calls were seen. */
export class Outcomes {
  /** Calls by signature, the most recent last. */
  private readonly calls = new Map<number, Call>();
  private signatures = 0;
  private tokens = 0;

  /** `older`: the masked fingerprint of the result of an older step, 0 when it is not known any more. */
  constructor(private readonly older: (step: number) => number) {}

  /**
   * Returns what was known of an outcome, and remembers it.
   *
   * Masking is the dearest thing that happens to a step, and most calls never come back: so it waits until one does.
   *
   * @param signature signature of the call (canonical.ts)
   * @param step index of the step
   * @param eager mask a result now that will be gone when the call comes back
   */
  see(signature: number, result: ResultIdentity, failed: boolean, step: number, eager: boolean): KnownOutcome {
    const call = this.called(signature);
    const outcome = this.find(call, result, eager);
    const known = {
      signature: call.signature,
      outcome: outcome.token,
      occurrence: outcome.count + 1,
      previous: outcome.step,
      changed: call.last !== null && call.last !== outcome,
      failedBefore: failedBefore(call),
    };
    outcome.count++;
    outcome.step = step;
    call.last = outcome;
    call.failed = failed;
    return known;
  }

  /** A call whose result says nothing: it is remembered, its outcomes stay as they are. */
  pass(signature: number): KnownOutcome {
    const call = this.called(signature);
    return {
      signature: call.signature,
      outcome: 0,
      occurrence: 1,
      previous: -1,
      changed: false,
      failedBefore: failedBefore(call),
    };
  }

  /** The outcome among those of the call, or a new one. */
  private find(call: Call, result: ResultIdentity, eager: boolean): Outcome {
    const { raw } = result;
    const { outcomes } = call;
    const same = outcomes.find((one) => one.raw === raw);
    if (same) return same;
    const masked = eager || outcomes.length > 0 ? result.masked() : 0;
    const alike = outcomes.find((one) => this.maskedOf(one) === masked);
    if (alike) {
      alike.raw = raw;
      return alike;
    }
    const outcome = { token: ++this.tokens, raw, masked, count: 0, step: -1 };
    const [first, ...others] = outcomes;
    call.outcomes = first ? [first, ...others.slice(2 - OUTCOMES), outcome] : [outcome];
    return outcome;
  }

  private maskedOf(outcome: Outcome): number {
    if (outcome.masked === 0) outcome.masked = this.older(outcome.step);
    return outcome.masked;
  }

  /** The call, now the one seen last. */
  private called(signature: number): Call {
    const call = this.calls.get(signature) ?? { signature: ++this.signatures, outcomes: [], last: null, failed: false };
    this.calls.delete(signature);
    this.calls.set(signature, call);
    if (this.calls.size > CALLS) {
      const [oldest] = this.calls.keys();
      if (oldest !== undefined) this.calls.delete(oldest);
    }
    return call;
  }
}

function failedBefore({ last, failed }: Call): boolean | null {
  return last && failed;
}
