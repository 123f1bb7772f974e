import type { TextRange } from '../secrets/rule';

/** Texts that quote others do so in fences of back quotes: a line of three or more, and the same line again at the end. */
const FENCE = /^`{3,}$/;
/** The same, and what begins with the name of a language, as Markdown has it. */
const FENCE_LINES = /^`{3,}[\w+-]{0,20}$/gm;

/** A text in a fence that no line of it can close. */
export function inFence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, text, fence].join('\n');
}

/** The stretches of a text between its lines of back quotes, without the line feeds next to those. All of it where it has none. */
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

/** The fence that is open at the end of a text; null where it ends outside of all. */
export function openFence(text: string): string | null {
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    if (fence === null) fence = FENCE.test(line) ? line : null;
    else if (line === fence) fence = null;
  }
  return fence;
}

/**
 * A text of at most `limit` characters with its middle left out, by whole lines. A fence that is cut is closed before `gap`, and opened again
 * behind it.
 *
 * @param share of the room that the beginning gets, 0 to 1
 */
export function withoutMiddle(text: string, limit: number, gap: string, share: number): string {
  if (text.length <= limit) return text;
  // Lines of a quotation are no wider than a fence around them can have to be.
  const room = Math.max(0, limit - gap.length - 2 * WIDEST_FENCE);
  const most = Math.floor(room * share);
  const cutHead = text.slice(0, most);
  const head = cutHead.slice(0, lineBreakBefore(cutHead));
  const cutTail = text.slice(text.length - (room - most));
  const tail = cutTail.slice(cutTail.indexOf('\n') + 1);
  const opening = openFence(text.slice(0, text.length - tail.length));
  return [closed(head), gap, reopened(tail, opening)].join('\n').toWellFormed().slice(0, limit);
}

/** A beginning with the end of its last fence, or without that fence where nothing of the quotation is left. */
function closed(head: string): string {
  const fence = openFence(head);
  if (fence === null) return head;
  return head.endsWith(`\n${fence}`) ? head.slice(0, -fence.length - 1) : `${head}\n${fence}`;
}

/** An end with the beginning of the fence that it lies in, or without its end where nothing of the quotation is left. */
function reopened(tail: string, fence: string | null): string {
  if (fence === null) return tail;
  return tail.startsWith(`${fence}\n`) ? tail.slice(fence.length + 1) : `${fence}\n${tail}`;
}

const WIDEST_FENCE = 410;

function lineBreakBefore(text: string): number {
  const at = text.lastIndexOf('\n');
  return at < 0 ? text.length : at;
}
