/** Counts the hits of byte sequences in `bytes` from `start` to `end`. Overlaps of one sequence with itself count once. */
export function countMarkers(bytes: Buffer, start: number, end: number, markers: readonly (string | Buffer)[]): number {
  const within = bytes.subarray(start, end);
  let count = 0;
  for (const marker of markers) {
    if (marker.length === 0) continue;
    for (let at = within.indexOf(marker); at !== -1; at = within.indexOf(marker, at + marker.length)) count++;
  }
  return count;
}

const UNDERSCORE = 0x5f;
/** Length of an anchor: up to 6 bytes are searched by their first byte alone, several times as fast as longer ones. */
const ANCHOR = 6;
const SHORTEST_ANCHOR = 4;

/** Markers that share a part that is rare in transcripts: one search finds all of them. */
interface Group {
  readonly anchor: Buffer;
  /** Bytes from one hit to where the next may begin. */
  readonly step: number;
  readonly members: { readonly index: number; readonly marker: Buffer; readonly offset: number }[];
}

/**
 * Counts markers in the lines of a chunk. The whole chunk is searched at once, not each line: a search costs as much as a few hundred bytes, and most
 * lines hold no marker. Markers with the same ending (`…tool_call"`, `…function_call"`) are searched together by that ending.
 */
export class MarkerCounter {
  private readonly markers: readonly Buffer[];
  private readonly groups: readonly Group[];
  /** Places of each marker in the current chunk, ascending; which of them overlap is decided when they are counted. */
  private readonly places: number[][];
  /** Index of the next place of each marker: the earlier ones are in lines that were counted. */
  private readonly next: Int32Array;
  private searched = false;
  /** True if some marker has a place that was not counted yet. */
  private isLeft = false;
  /** Last bytes of the previous piece of a line that is longer than a chunk. */
  private readonly carried: Buffer[];

  constructor(markers: readonly string[]) {
    this.markers = markers.filter((marker) => marker.length > 0).map((marker) => Buffer.from(marker));
    this.groups = grouped(this.markers);
    this.places = this.markers.map(() => []);
    this.next = new Int32Array(this.markers.length);
    this.carried = this.markers.map(() => Buffer.alloc(0));
  }

  /** Called when another chunk becomes current. */
  newChunk(): void {
    this.searched = false;
  }

  /**
   * Counts the hits from `start` to `end` of the chunk. Calls for one chunk must come in ascending order; the chunk ends with its last valid byte.
   */
  count(chunk: Buffer, start: number, end: number): number {
    if (!this.searched) this.search(chunk, start);
    if (!this.isLeft) return 0;
    let count = 0;
    let isLeft = false;
    for (let index = 0; index < this.markers.length; index++) {
      const places = this.places[index] as number[];
      const { length } = this.markers[index] as Buffer;
      let at = this.next[index] as number;
      let from = start;
      for (; at < places.length && (places[at] as number) + length <= end; at++) {
        const place = places[at] as number;
        if (place < from) continue;
        count++;
        from = place + length;
      }
      this.next[index] = at;
      isLeft ||= at < places.length;
    }
    this.isLeft = isLeft;
    return count;
  }

  /** Counts the hits in bytes that are not part of the current chunk: a line joined from two pieces. */
  countOther(bytes: Buffer): number {
    return countMarkers(bytes, 0, bytes.length, this.markers);
  }

  /** Begins a line that arrives in pieces. */
  beginPieces(): void {
    this.carried.fill(Buffer.alloc(0));
  }

  /** Does the same as `countPiece` for bytes that are not part of the current chunk. */
  countOtherPiece(bytes: Buffer): number {
    this.newChunk();
    const count = this.countPiece(bytes, 0, bytes.length);
    this.newChunk();
    return count;
  }

  /** Counts the hits that end in this piece of the line, including those that began in the piece before. */
  countPiece(chunk: Buffer, start: number, end: number): number {
    if (!this.searched) this.search(chunk, start);
    let count = 0;
    for (let index = 0; index < this.markers.length; index++) {
      const marker = this.markers[index] as Buffer;
      let from = start;
      const before = this.carried[index] as Buffer;
      if (before.length > 0) {
        const seam = Buffer.concat([before, chunk.subarray(start, Math.min(end, start + marker.length - 1))]);
        const hit = seam.indexOf(marker);
        if (hit !== -1) {
          count++;
          from = start + hit + marker.length - before.length;
        }
      }
      const places = this.places[index] as number[];
      let at = this.next[index] as number;
      for (; at < places.length && (places[at] as number) + marker.length <= end; at++) {
        const place = places[at] as number;
        if (place < from) continue;
        count++;
        from = place + marker.length;
      }
      this.next[index] = at;
      this.carried[index] = carry(before, chunk, from, start, end, marker.length - 1);
    }
    return count;
  }

  /** Stores all places of all markers from `from` to the end of the chunk. */
  private search(chunk: Buffer, from: number): void {
    this.searched = true;
    this.isLeft = false;
    this.next.fill(0);
    for (const places of this.places) places.length = 0;
    for (const { anchor, step, members } of this.groups) {
      for (let hit = chunk.indexOf(anchor, from); hit !== -1; hit = chunk.indexOf(anchor, hit + step)) {
        for (const { index, marker, offset } of members) {
          const start = hit - offset;
          if (start < from || !isAt(chunk, start, marker)) continue;
          (this.places[index] as number[]).push(start);
          this.isLeft = true;
        }
      }
    }
  }
}

/**
 * Groups markers by their rare part; a marker without one forms its own group. Every place of an anchor is found, so markers may overlap: `count`
 * decides which of them do.
 */
function grouped(markers: readonly Buffer[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, marker] of markers.entries()) {
    const rare = marker.lastIndexOf(UNDERSCORE);
    const isShared = rare >= 0 && marker.length - rare >= SHORTEST_ANCHOR;
    const offset = isShared ? rare : 0;
    const anchor = isShared ? marker.subarray(rare, rare + ANCHOR) : marker;
    const name = isShared ? anchor.toString('latin1') : `${index} alone`;
    const group = groups.get(name) ?? { anchor, step: overlapsItself(anchor) ? 1 : anchor.length, members: [] };
    group.members.push({ index, marker, offset });
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** Returns whether two places of these bytes can overlap. */
function overlapsItself(bytes: Buffer): boolean {
  for (let size = 1; size < bytes.length; size++) {
    if (bytes.subarray(0, size).equals(bytes.subarray(bytes.length - size))) return true;
  }
  return false;
}

function isAt(chunk: Buffer, start: number, marker: Buffer): boolean {
  for (let at = 0; at < marker.length; at++) if (chunk[start + at] !== marker[at]) return false;
  return true;
}

/** Returns the last `most` bytes of a line, without those that belong to a hit. A copy, because the chunk is reused for reading. */
function carry(before: Buffer, chunk: Buffer, from: number, start: number, end: number, most: number): Buffer {
  if (end - from >= most) return Buffer.from(chunk.subarray(end - most, end));
  if (from > start) return Buffer.from(chunk.subarray(from, end));
  const joined = Buffer.concat([before, chunk.subarray(start, end)]);
  return joined.subarray(Math.max(0, joined.length - most));
}
