/**
 * Texts that quote others in fences of back quotes, as `recover/quote.ts` writes them: a line of three or more, and the same line again at the
 * end. What is done to such a text as a whole must not move a quotation out of its fence.
 */
const FENCE = /^`{3,}$/;

/** Changes each fenced block and each stretch between two of them on its own. A fence that nothing closes goes to the end. */
export function inParts(text: string, change: (part: string) => string): string {
  const lines = text.split('\n');
  const parts: string[] = [];
  let from = 0;
  let fence: string | null = null;
  const end = (to: number): void => {
    if (to > from) parts.push(change(lines.slice(from, to).join('\n')));
    from = to;
  };
  for (const [index, line] of lines.entries()) {
    if (fence === null && FENCE.test(line)) {
      end(index);
      fence = line;
    } else if (fence !== null && line === fence) {
      // The fences themselves are ours, and stay.
      const inside = lines.slice(from + 1, index);
      parts.push([fence, ...(inside.length > 0 ? [change(inside.join('\n'))] : []), fence].join('\n'));
      from = index + 1;
      fence = null;
    }
  }
  end(lines.length);
  return parts.join('\n');
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
