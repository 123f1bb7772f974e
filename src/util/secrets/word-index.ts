/** Finds all of some words in a text in one pass, whatever their number, without regard to the case of ASCII letters. */
export interface WordIndex {
  /** Calls back for each word at each place, in the order of their ends. */
  scan(text: string, found: (word: number, start: number) => void): void;
}

/** Source of the method: Aho and Corasick, "Efficient string matching", 1975; here with all steps worked out, so that a character is one look. */
export function wordIndex(words: readonly string[]): WordIndex {
  const classes = new Uint8Array(128);
  let classCount = 1;
  for (const word of words) for (const code of codesOf(word)) if (classes[code] === 0) classes[code] = classCount++;
  for (let code = 65; code <= 90; code++) classes[code] = classes[code + 32] ?? 0;

  const most = words.reduce((sum, word) => sum + word.length, 1);
  const next = new Int32Array(most * classCount);
  const ends: number[][] = [[]];
  for (const [id, word] of words.entries()) {
    let node = 0;
    for (const code of codesOf(word)) {
      const place = node * classCount + (classes[code] ?? 0);
      if (next[place] === 0) next[place] = ends.push([]) - 1;
      node = next[place] ?? 0;
    }
    ends[node]?.push(id);
  }

  const fallback = new Int32Array(ends.length);
  const queue: number[] = [];
  for (let one = 0; one < classCount; one++) if (next[one]) queue.push(next[one] as number);
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] as number;
    const behind = fallback[node] as number;
    ends[node]?.push(...(ends[behind] ?? []));
    for (let one = 0; one < classCount; one++) {
      const place = node * classCount + one;
      const child = next[place] as number;
      const other = next[behind * classCount + one] as number;
      if (child === 0) next[place] = other;
      else {
        fallback[child] = other;
        queue.push(child);
      }
    }
  }

  const lengths = words.map((word) => word.length);
  return {
    scan(text, found) {
      let node = 0;
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        node = code < 128 ? (next[node * classCount + (classes[code] as number)] as number) : 0;
        if (node === 0) continue;
        const here = ends[node] as number[];
        for (let one = 0; one < here.length; one++) {
          const word = here[one] as number;
          found(word, index + 1 - (lengths[word] as number));
        }
      }
    },
  };
}

function codesOf(word: string): readonly number[] {
  return Array.from(word.toLowerCase(), (letter) => {
    const code = letter.charCodeAt(0);
    if (code >= 128) throw new RangeError(`not ASCII: ${word}`);
    return code;
  });
}
