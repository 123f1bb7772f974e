/** Outcomes beyond the first of each call that are remembered of a session; the oldest are forgotten first. */
const CAPACITY = 256;
/** Outcomes that are made room for at first. */
const SMALLEST = 16;
/** Fields of an outcome (outcomes.ts), then the call's place and the entry that follows it, each from 1, 0 for none. */
const OUTCOME_FIELDS = 5;
const PLACE = 5;
const NEXT = 6;
const FIELDS = 7;

/**
 * The further outcomes of calls that gave several: a list of at most `most` entries for each call, oldest first, all of them in one
 * array of 7 KB at most. Lists of their own would take up to 100 KB.
 */
export class FurtherOutcomes {
  fields = new Int32Array(0);
  /** By place of the call: its first entry, from 1. */
  private readonly heads: Int16Array;
  private used = 0;
  private oldest = 0;

  constructor(
    places: number,
    private readonly most: number,
  ) {
    this.heads = new Int16Array(places);
  }

  /** Where the fields of a call's first further outcome begin, -1 where there is none. */
  first(place: number): number {
    return this.start(this.heads[place] ?? 0);
  }

  /** Where those of the one after it begin, -1 after the last. */
  after(at: number): number {
    return this.start(this.fields[at + NEXT] ?? 0);
  }

  /** Makes room for another outcome of a call, behind its others, and returns where its fields begin: all 0. */
  add(place: number): number {
    let count = 0;
    for (let at = this.first(place); at >= 0; at = this.after(at)) count++;
    const entry = count < this.most ? this.free() : (this.heads[place] ?? 0) - 1;
    if (count >= this.most) this.unlink(entry);
    let last = -1;
    for (let at = this.first(place); at >= 0; at = this.after(at)) last = at;
    const start = entry * FIELDS;
    this.fields.fill(0, start, start + OUTCOME_FIELDS);
    this.fields[start + PLACE] = place + 1;
    this.fields[start + NEXT] = 0;
    if (last < 0) this.heads[place] = entry + 1;
    else this.fields[last + NEXT] = entry + 1;
    return start;
  }

  /** The place is another call's from now on. */
  forget(place: number): void {
    for (let at = this.first(place); at >= 0; ) {
      const next = this.after(at);
      this.fields[at + PLACE] = 0;
      at = next;
    }
    this.heads[place] = 0;
  }

  private start(entry: number): number {
    return entry === 0 ? -1 : (entry - 1) * FIELDS;
  }

  private free(): number {
    if (this.used < CAPACITY) {
      if ((this.used + 1) * FIELDS > this.fields.length) {
        const larger = new Int32Array(Math.max(SMALLEST * FIELDS, this.fields.length * 2));
        larger.set(this.fields);
        this.fields = larger;
      }
      return this.used++;
    }
    const entry = this.oldest;
    this.oldest = (entry + 1) % CAPACITY;
    this.unlink(entry);
    return entry;
  }

  /** Takes an entry out of its call's list. */
  private unlink(entry: number): void {
    const at = entry * FIELDS;
    const place = (this.fields[at + PLACE] ?? 0) - 1;
    if (place < 0) return;
    const next = this.fields[at + NEXT] ?? 0;
    if (this.heads[place] === entry + 1) {
      this.heads[place] = next;
      return;
    }
    for (let before = this.first(place); before >= 0; before = this.after(before)) {
      if (this.fields[before + NEXT] !== entry + 1) continue;
      this.fields[before + NEXT] = next;
      return;
    }
  }
}
