/** Number of lines shown around a change. */
const CONTEXT = 3;
/** Number of lines above which everything between the first and the last difference counts as changed. */
const LONGEST = 2_000;

/** Returns the difference of two texts by lines, each beginning with `+`, `-` or a blank; `…` stands for omitted lines. Empty if they are equal. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const marked = old.length + fresh.length > LONGEST ? roughly(old, fresh) : exactly(old, fresh);
  const near = marked.map((_, index) =>
    marked.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith(' ')),
  );
  return marked
    .flatMap((line, index) => {
      if (near[index]) return [line];
      return index === 0 || near[index - 1] ? ['…'] : [];
    })
    .join('\n');
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function exactly(old: readonly string[], fresh: readonly string[]): readonly string[] {
  // Length of the longest common part of the rest from (i, j) on.
  const width = fresh.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(` ${old[i] ?? ''}`);
      i++;
      j++;
    } else if (i < old.length && (j >= fresh.length || at(i + 1, j) >= at(i, j + 1))) lines.push(`-${old[i++] ?? ''}`);
    else lines.push(`+${fresh[j++] ?? ''}`);
  }
  return lines;
}

function roughly(old: readonly string[], fresh: readonly string[]): readonly string[] {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  return [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ];
}
