/** Hits of byte sequences in `bytes` from `start` to `end`. Overlaps of one sequence with itself count once. */
export function countMarkers(bytes: Buffer, start: number, end: number, markers: readonly (string | Buffer)[]): number {
  const within = bytes.subarray(start, end);
  let count = 0;
  for (const marker of markers) {
    if (marker.length === 0) continue;
    for (let at = within.indexOf(marker); at !== -1; at = within.indexOf(marker, at + marker.length)) count++;
  }
  return count;
}

/**
 * Counts markers in the lines of a chunk. Each marker is searched once through the whole chunk, not per line: a search costs as much
 * as some hundred bytes, and most lines hold no marker.
 */
export class MarkerCounter {
  private readonly markers: readonly Buffer[];
  /** Next hit of each marker in the chunk at hand, -1 while it was not searched, `Infinity` where there is no further one. */
  private readonly next: Float64Array;
  /** Last bytes of the piece before, of a line that is longer than a chunk. */
  private readonly carried: Buffer[];

  constructor(markers: readonly string[]) {
    this.markers = markers.filter((marker) => marker.length > 0).map((marker) => Buffer.from(marker));
    this.next = new Float64Array(this.markers.length);
    this.carried = this.markers.map(() => Buffer.alloc(0));
  }

  /** Another chunk is at hand. */
  newChunk(): void {
    this.next.fill(-1);
  }

  /** Hits from `start` to `end` of the chunk. Calls for one chunk come in rising order; the chunk ends where its valid bytes end. */
  count(chunk: Buffer, start: number, end: number): number {
    let count = 0;
    for (let index = 0; index < this.markers.length; index++) {
      const marker = this.markers[index] as Buffer;
      let hit = this.next[index] as number;
      if (hit < start) hit = find(chunk, marker, start);
      while (hit + marker.length <= end) {
        count++;
        hit = find(chunk, marker, hit + marker.length);
      }
      this.next[index] = hit;
    }
    return count;
  }

  /** Hits in bytes that are not of the chunk at hand: a line put together of two pieces. */
  countOther(bytes: Buffer): number {
    return countMarkers(bytes, 0, bytes.length, this.markers);
  }

  /** A line that comes in pieces begins. */
  beginPieces(): void {
    this.carried.fill(Buffer.alloc(0));
  }

  /** The same as `countPiece` for bytes that are not of the chunk at hand. */
  countOtherPiece(bytes: Buffer): number {
    this.newChunk();
    const count = this.countPiece(bytes, 0, bytes.length);
    this.newChunk();
    return count;
  }

  /** Hits that end in this piece of the line; those that began in the piece before included. */
  countPiece(chunk: Buffer, start: number, end: number): number {
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
      let hit = (this.next[index] as number) < from ? find(chunk, marker, from) : (this.next[index] as number);
      while (hit + marker.length <= end) {
        count++;
        from = hit + marker.length;
        hit = find(chunk, marker, from);
      }
      this.next[index] = hit;
      this.carried[index] = carry(before, chunk, from, start, end, marker.length - 1);
    }
    return count;
  }
}

/** The last bytes of a line at most, without those that belong to a hit. A copy: the chunk is read into again. */
function carry(before: Buffer, chunk: Buffer, from: number, start: number, end: number, most: number): Buffer {
  if (end - from >= most) return Buffer.from(chunk.subarray(end - most, end));
  if (from > start) return Buffer.from(chunk.subarray(from, end));
  const joined = Buffer.concat([before, chunk.subarray(start, end)]);
  return joined.subarray(Math.max(0, joined.length - most));
}

function find(chunk: Buffer, marker: Buffer, from: number): number {
  const hit = chunk.indexOf(marker, from);
  return hit === -1 ? Number.POSITIVE_INFINITY : hit;
}
