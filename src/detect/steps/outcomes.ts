import { FurtherOutcomes } from './further-outcomes';
import { RecencyTable } from './recency-table';

/** Calls whose outcomes are remembered; the one not seen for longest is forgotten first. */
const CALLS = 256;
/** Different outcomes that are remembered of one call; the oldest is forgotten first. */
const OUTCOMES = 8;

/** What is known about an outcome when it comes in. */
export interface Known {
  /** Equal numbers are equal calls, as long as the call is remembered. From 1. */
  signature: number;
  /** Equal numbers are equal outcomes. From 1. */
  outcome: number;
  /** 1 for the first time. */
  occurrence: number;
  /** Index of the last step with this outcome, -1 for the first time. */
  previous: number;
  /** The call came before, and gave something else the last time. */
  changed: boolean;
  /** Did this call fail the last time? Null when it was never seen. */
  failedBefore: boolean | null;
}

/** A result by its fingerprints, 32 bits each (mask.ts). */
export interface ResultIdentity {
  readonly raw: number;
  /** Asked for only when the call is known and none of its results is equal as it is. Never 0. */
  masked(): number;
}

/** Fields of a remembered call: its number, its last outcome (negative: that one failed), then its first outcome. */
const SIGNATURE = 0;
const LAST = 1;
const FIRST_OUTCOME = 2;
/** Fields of an outcome: fingerprint of the raw result that came last, masked fingerprint (0: not asked for yet), number, count, step. */
const RAW = 0;
const MASKED = 1;
const TOKEN = 2;
const COUNT = 3;
const STEP = 4;
const OUTCOME_FIELDS = 5;
const CALL_FIELDS = FIRST_OUTCOME + OUTCOME_FIELDS;

/**
 * Which outcomes of which calls were seen: the newest 256 calls with up to 8 outcomes each, in 12 to 19 KB. Every question costs the
 * same, whatever the length of the history.
 *
 * Most calls have one outcome. It lies in an array of its own; further ones lie together.
 */
export class Outcomes {
  private readonly places = new RecencyTable(CALLS);
  private table = new Int32Array(32 * CALL_FIELDS);
  private readonly further = new FurtherOutcomes(CALLS, OUTCOMES - 1);
  private signatures = 0;
  private tokens = 0;
  /** What `see` or `pass` found last. One object for all answers: read it at once. */
  readonly known: Known = {
    signature: 0,
    outcome: 0,
    occurrence: 0,
    previous: -1,
    changed: false,
    failedBefore: null,
  };

  /** `older`: the masked fingerprint of the result of an older step, 0 when it is not known any more. */
  constructor(private readonly older: (step: number) => number) {}

  /**
   * Tells what was known of an outcome, and remembers it.
   *
   * Masking is the dearest thing that happens to a step, and most calls never come back: so it waits until one does.
   *
   * @param call signature of the call (canonical.ts)
   * @param step index of the step
   * @param eager mask a result now that will be gone when the call comes back
   */
  see(call: number, result: ResultIdentity, failed: boolean, step: number, eager: boolean): void {
    const place = this.placeOf(call);
    const { known } = this;
    const base = place * CALL_FIELDS;
    const last = this.table[base + LAST] ?? 0;
    known.signature = this.table[base + SIGNATURE] ?? 0;
    known.failedBefore = last === 0 ? null : last < 0;
    this.count(place, result, step, eager, last === 0);
    known.changed = last !== 0 && Math.abs(last) !== known.outcome;
    this.table[base + LAST] = failed ? -known.outcome : known.outcome;
  }

  /** A call whose result says nothing: it is remembered, its outcomes stay as they are. */
  pass(call: number): void {
    const { known } = this;
    const base = this.placeOf(call) * CALL_FIELDS;
    const last = this.table[base + LAST] ?? 0;
    known.signature = this.table[base + SIGNATURE] ?? 0;
    known.failedBefore = last === 0 ? null : last < 0;
    known.outcome = 0;
    known.occurrence = 1;
    known.previous = -1;
    known.changed = false;
  }

  /** Finds the outcome among those of the call, or adds it. */
  private count(place: number, result: ResultIdentity, step: number, eager: boolean, isNew: boolean): void {
    const { table } = this;
    const first = place * CALL_FIELDS + FIRST_OUTCOME;
    const raw = result.raw | 0;
    if (isNew) {
      this.fill(table, first, raw, eager ? result.masked() | 0 : 0, step);
      return;
    }
    if (table[first + RAW] === raw) {
      this.fill(table, first, raw, 0, step);
      return;
    }
    const { further } = this;
    for (let at = further.first(place); at >= 0; at = further.after(at)) {
      if (further.fields[at + RAW] !== raw) continue;
      this.fill(further.fields, at, raw, 0, step);
      return;
    }
    const masked = result.masked() | 0;
    if (this.maskedAt(table, first) === masked) {
      this.fill(table, first, raw, masked, step);
      return;
    }
    let at = further.first(place);
    while (at >= 0 && this.maskedAt(further.fields, at) !== masked) at = further.after(at);
    if (at < 0) at = further.add(place);
    this.fill(further.fields, at, raw, masked, step);
  }

  private maskedAt(fields: Int32Array, at: number): number {
    const known = fields[at + MASKED] ?? 0;
    if (known !== 0) return known;
    const asked = this.older(fields[at + STEP] ?? -1) | 0;
    fields[at + MASKED] = asked;
    return asked;
  }

  private fill(fields: Int32Array, at: number, raw: number, masked: number, step: number): void {
    const { known } = this;
    const count = fields[at + COUNT] ?? 0;
    known.previous = count === 0 ? -1 : (fields[at + STEP] ?? -1);
    known.occurrence = count + 1;
    known.outcome = count === 0 ? ++this.tokens : (fields[at + TOKEN] ?? 0);
    fields[at + RAW] = raw;
    if (masked !== 0) fields[at + MASKED] = masked;
    fields[at + TOKEN] = known.outcome;
    fields[at + COUNT] = count + 1;
    fields[at + STEP] = step;
  }

  private placeOf(call: number): number {
    const known = this.places.find(call);
    if (known >= 0) return known;
    const place = this.places.add(call);
    if ((place + 1) * CALL_FIELDS > this.table.length) this.grow();
    this.further.forget(place);
    const base = place * CALL_FIELDS;
    this.table.fill(0, base, base + CALL_FIELDS);
    this.table[base + SIGNATURE] = ++this.signatures;
    return place;
  }

  private grow(): void {
    const larger = new Int32Array(this.table.length * 2);
    larger.set(this.table);
    this.table = larger;
  }
}
