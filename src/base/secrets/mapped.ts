import type { TextRange } from './rule';

interface Piece {
  /** Offset in the mapped text. */
  readonly at: number;
  /** Range in the original text. */
  readonly from: number;
  readonly to: number;
  /** True if its characters are copied from the original one by one; otherwise each of them stands for the whole range. */
  readonly isCopy: boolean;
}

/** A text composed of pieces of another one. It knows the origin of each of its characters. */
export class MappedText {
  readonly #texts: string[] = [];
  readonly #pieces: Piece[] = [];
  #length = 0;
  #text: string | undefined;

  constructor(private readonly original: string) {}

  get length(): number {
    return this.#length;
  }

  get text(): string {
    return (this.#text ??= this.#texts.join(''));
  }

  /** Adds the text of this range of the original. */
  copy(from: number, to: number): void {
    if (from < to) this.#add(this.original.slice(from, to), from, to, true);
  }

  /** Adds a text that stands for this range of the original. */
  put(text: string, from: number, to: number): void {
    this.#add(text, from, to, false);
  }

  /** Returns the range of the original for a range of this text, which must not be empty. Characters left out within it are included. */
  originalOf([start, end]: TextRange): TextRange {
    const first = this.#pieceAt(start);
    const last = this.#pieceAt(end - 1);
    return [
      first.isCopy ? first.from + (start - first.at) : first.from,
      last.isCopy ? last.from + (end - last.at) : last.to,
    ];
  }

  #add(text: string, from: number, to: number, isCopy: boolean): void {
    this.#pieces.push({ at: this.#length, from, to, isCopy });
    this.#texts.push(text);
    this.#length += text.length;
  }

  #pieceAt(place: number): Piece {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle] as Piece).at <= place) low = middle;
      else high = middle - 1;
    }
    return this.#pieces[low] as Piece;
  }
}
