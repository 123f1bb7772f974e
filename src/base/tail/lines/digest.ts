/** Many short loops are compiled earlier and permanently; one long loop is compiled while it runs and discarded at its end. */
const BLOCK_BYTES = 4096;

/**
 * A 64-bit digest of bytes that arrive in pieces: two 32-bit sums over the same words, which multiply by different constants and rotate by different
 * widths, so that no change cancels itself in both. The way the bytes are split makes no difference.
 *
 * Not from node:crypto: creating a digest there costs as much as reading 50 KB, and nothing here has to withstand an attacker.
 */
export class Digest {
  private first = 0;
  private second = 0;
  /** Bytes of an incomplete word, the first one lowest. */
  private word = 0;
  private wordBytes = 0;
  private length = 0;

  constructor() {
    this.begin();
  }

  begin(): void {
    this.first = 0x2545f491;
    this.second = 0x4f6cdd1d;
    this.word = 0;
    this.wordBytes = 0;
    this.length = 0;
  }

  update(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    this.length += end - start;
    while (this.wordBytes > 0 && at < end) this.addByte(bytes[at++] as number);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const words = end - ((end - at) % 4);
    while (at < words) {
      const stop = Math.min(words, at + BLOCK_BYTES);
      this.addWords(view, at, stop);
      at = stop;
    }
    while (at < end) this.addByte(bytes[at++] as number);
  }

  /** Returns the digest as 16 hex digits. */
  end(): string {
    this.mix(this.word);
    this.mix(this.length | 0);
    const high = finish(this.first ^ this.wordBytes);
    const low = finish(this.second ^ high);
    return hex(high) + hex(low);
  }

  private addWords(view: DataView, start: number, end: number): void {
    let { first, second } = this;
    for (let at = start; at < end; at += 4) {
      const word = view.getUint32(at, true);
      first = Math.imul(((first << 13) | (first >>> 19)) ^ word, 0x9e3779b1);
      second = Math.imul(((second << 17) | (second >>> 15)) ^ word, 0x85ebca77);
    }
    this.first = first;
    this.second = second;
  }

  private addByte(byte: number): void {
    this.word |= byte << (8 * this.wordBytes);
    if (++this.wordBytes < 4) return;
    this.mix(this.word);
    this.word = 0;
    this.wordBytes = 0;
  }

  private mix(word: number): void {
    this.first = Math.imul(((this.first << 13) | (this.first >>> 19)) ^ word, 0x9e3779b1);
    this.second = Math.imul(((this.second << 17) | (this.second >>> 15)) ^ word, 0x85ebca77);
  }
}

/** Lets each bit of a sum affect all others (the last step of MurmurHash3). */
function finish(sum: number): number {
  let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(sum: number): string {
  return (sum >>> 0).toString(16).padStart(8, '0');
}
