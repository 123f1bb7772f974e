import type { TextRange } from '../secrets/rule';

/** A fence of back quotes around quoted text: a line of three or more, repeated at the end. */
const FENCE = /^`{3,}$/;
/** The same, including one with the name of a language, as in Markdown. */
const FENCE_LINES = /^`{3,}[\w+-]{0,20}$/gm;

/** Puts a text into a fence that no line of it can close. */
export function inFence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, text, fence].join('\n');
}

/** Returns the stretches of a text between its lines of back quotes, without the line feeds next to those; the whole text where it has none. */
export function betweenFences(text: string): readonly TextRange[] {
  const stretches: TextRange[] = [];
  let start = 0;
  for (const { index, 0: fence } of text.matchAll(FENCE_LINES)) {
    if (index - 1 > start) stretches.push([start, index - 1]);
    start = index + fence.length + 1;
  }
  if (start < text.length) stretches.push([start, text.length]);
  return stretches;
}

/** Returns the fence that is open at the end of a text; null where none is. */
export function openFence(text: string): string | null {
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    if (fence === null) fence = FENCE.test(line) ? line : null;
    else if (line === fence) fence = null;
  }
  return fence;
}

/**
 * Shortens a text to at most `limit` characters by leaving out its middle, by whole lines. A fence that is cut is closed before `gap` and reopened
 * after it.
 *
 * @param share of the room for the beginning, 0 to 1
 */
export function withoutMiddle(text: string, limit: number, gap: string, share: number): string {
  if (text.length <= limit) return text;
  // Lines of a quotation are too short for a fence around them to be wider than this.
  const room = Math.max(0, limit - gap.length - 2 * WIDEST_FENCE);
  const most = Math.floor(room * share);
  const cutHead = text.slice(0, most);
  const head = cutHead.slice(0, lineBreakBefore(cutHead));
  const cutTail = text.slice(text.length - (room - most));
  const tail = cutTail.slice(cutTail.indexOf('\n') + 1);
  const opening = openFence(text.slice(0, text.length - tail.length));
  return [closed(head), gap, reopened(tail, opening)].join('\n').toWellFormed().slice(0, limit);
}

/** Adds the end of the last fence to a beginning, or removes that fence if nothing of the quotation is left. */
function closed(head: string): string {
  const fence = openFence(head);
  if (fence === null) return head;
  return head.endsWith(`\n${fence}`) ? head.slice(0, -fence.length - 1) : `${head}\n${fence}`;
}

/** Adds the beginning of its fence to an end, or removes the end of that fence if nothing of the quotation is left. */
function reopened(tail: string, fence: string | null): string {
  if (fence === null) return tail;
  return tail.startsWith(`${fence}\n`) ? tail.slice(fence.length + 1) : `${fence}\n${tail}`;
}

const WIDEST_FENCE = 410;

function lineBreakBefore(text: string): number {
  const at = text.lastIndexOf('\n');
  return at < 0 ? text.length : at;
}
