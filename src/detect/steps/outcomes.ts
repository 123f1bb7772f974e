/** Number of calls whose outcomes are remembered; the one not seen for longest is forgotten first. */
const CALLS = 256;
/** Number of different outcomes that are remembered for one call: its first one, and the newest of the others. */
const OUTCOMES = 8;

/** Facts about an outcome when it arrives. */
export interface KnownOutcome {
  /** Equal numbers mean equal calls, as long as the call is remembered. From 1. */
  readonly signature: number;
  /** Equal numbers mean equal outcomes. From 1; 0 for a result that says nothing. */
  readonly outcome: number;
  /** 1 for the first time. */
  readonly occurrence: number;
  /** Index of the last step with this outcome; -1 for the first time. */
  readonly previous: number;
  /** True if the call came before, with another result the last time. */
  readonly changed: boolean;
  /** True if this call failed the last time; null if it was never seen. */
  readonly failedBefore: boolean | null;
}

/** A result by its fingerprints, 32 bits each (mask.ts). */
export interface ResultIdentity {
  readonly raw: number;
  /** Called only if the call is known and none of its results is equal unmasked. Never 0. */
  masked(): number;
}

interface Outcome {
  readonly token: number;
  /** Fingerprint of the latest raw result. */
  raw: number;
  /** 0: not computed yet. */
  masked: number;
  count: number;
  /** Index of its last step. */
  step: number;
}

interface Call {
  readonly signature: number;
  /** Usually one, so it is copied for a new one: an array that grows by push has room for 17. */
  outcomes: readonly Outcome[];
  /** Its last outcome; null before its first result that carries information. */
  last: Outcome | null;
  /** True if it failed the last time. */
  failed: boolean;
}

/** Remembers the outcomes of calls. */
export class Outcomes {
  /** Calls by signature, the most recent last. */
  private readonly calls = new Map<number, Call>();
  private signatures = 0;
  private tokens = 0;

  /** @param older returns the masked fingerprint of the result of an older step; 0 if it is no longer known */
  constructor(private readonly older: (step: number) => number) {}

  /**
   * Returns what was known about an outcome, and remembers it.
   *
   * Masking is the most expensive part of handling a step, and most calls never recur, so it is delayed until one does.
   *
   * @param signature signature of the call (canonical.ts)
   * @param step index of the step
   * @param eager mask a result now because it will be gone when the call recurs
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

  /** Takes a call whose result says nothing: it is remembered, but its outcomes are unchanged. */
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

  /** Returns the outcome among those of the call, or a new one. */
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

  /** Returns the call, which is now the most recently seen one. */
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
