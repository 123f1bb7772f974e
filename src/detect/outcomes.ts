/** Calls whose outcomes are remembered; the one not seen for longest is forgotten first. */
const CALLS = 512;
/** Different outcomes that are remembered of one call; the oldest is forgotten first. */
const OUTCOMES = 8;

/** What is known about an outcome when it comes in. One object for all answers: read it at once. */
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

/** Fields of a remembered call: its number, its last outcome (negative: that one failed), then its first outcome. */
const SIGNATURE = 0;
const LAST = 1;
const FIRST_OUTCOME = 2;
/** Fields of an outcome. */
const FINGERPRINT = 0;
const TOKEN = 1;
const COUNT = 2;
const STEP = 3;
const OUTCOME_FIELDS = 4;
const CALL_FIELDS = FIRST_OUTCOME + OUTCOME_FIELDS;

/**
 * Which outcomes of which calls were seen: the newest 512 calls with up to 8 outcomes each, in about 40 KB. Every question costs the
 * same, whatever the length of the history.
 *
 * Most calls have one outcome. It lies in a typed array; only further ones get a list of their own.
 */
export class Outcomes {
  /** Place of each call, the one seen longest ago first. */
  private readonly places = new Map<number, number>();
  private table = new Int32Array(32 * CALL_FIELDS);
  private readonly further = new Map<number, number[]>();
  private signatures = 0;
  private tokens = 0;
  private readonly known: Known = {
    signature: 0,
    outcome: 0,
    occurrence: 0,
    previous: -1,
    changed: false,
    failedBefore: null,
  };

  /**
   * Tells what was known of an outcome, and remembers it.
   *
   * @param call signature of the call (canonical.ts)
   * @param fingerprint of its result, 32 bits (mask.ts)
   * @param step index of the step
   */
  see(call: number, fingerprint: number, failed: boolean, step: number): Known {
    const place = this.placeOf(call);
    const { table, known } = this;
    const base = place * CALL_FIELDS;
    const last = table[base + LAST] ?? 0;
    known.signature = table[base + SIGNATURE] ?? 0;
    known.failedBefore = last === 0 ? null : last < 0;
    this.count(place, fingerprint | 0, step);
    known.changed = last !== 0 && Math.abs(last) !== known.outcome;
    table[base + LAST] = failed ? -known.outcome : known.outcome;
    return known;
  }

  /** Finds the outcome among those of the call, or adds it. */
  private count(place: number, fingerprint: number, step: number): void {
    const first = place * CALL_FIELDS + FIRST_OUTCOME;
    if (this.table[first + TOKEN] === 0 || this.table[first + FINGERPRINT] === fingerprint) {
      this.fill(this.table, first, fingerprint, step);
      return;
    }
    let list = this.further.get(place);
    if (!list) this.further.set(place, (list = []));
    let at = 0;
    while (at < list.length && list[at] !== fingerprint) at += OUTCOME_FIELDS;
    if (at === list.length) {
      if (list.length === (OUTCOMES - 1) * OUTCOME_FIELDS) {
        list.splice(0, OUTCOME_FIELDS);
        at -= OUTCOME_FIELDS;
      }
      list.push(fingerprint, 0, 0, -1);
    }
    this.fill(list, at, fingerprint, step);
  }

  private fill(fields: Int32Array | number[], at: number, fingerprint: number, step: number): void {
    const { known } = this;
    const count = fields[at + COUNT] ?? 0;
    known.previous = count === 0 ? -1 : (fields[at + STEP] ?? -1);
    known.occurrence = count + 1;
    known.outcome = count === 0 ? ++this.tokens : (fields[at + TOKEN] ?? 0);
    fields[at + FINGERPRINT] = fingerprint;
    fields[at + TOKEN] = known.outcome;
    fields[at + COUNT] = count + 1;
    fields[at + STEP] = step;
  }

  private placeOf(call: number): number {
    const { places } = this;
    let place = places.get(call);
    if (place !== undefined) {
      // a Map keeps the order of insertion: put in again, it is the newest
      places.delete(call);
      places.set(call, place);
      return place;
    }
    if (places.size < CALLS) {
      place = places.size;
      if ((place + 1) * CALL_FIELDS > this.table.length) this.grow();
    } else {
      const [oldest, itsPlace] = places.entries().next().value ?? [call, 0];
      places.delete(oldest);
      this.further.delete(itsPlace);
      place = itsPlace;
    }
    places.set(call, place);
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
