const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Returns whether this is the id of a message, a ULID. */
export function isMessageId(text: string): boolean {
  return ULID.test(text);
}

/** Returns the end of every sent text, used to find its receipt in the transcript (docs/inbox.md). */
export function markOf(id: string): string {
  return `[unstuck ${id}]`;
}

/** Returns the text with its mark at the end, once. */
export function withMark(text: string, id: string): string {
  const mark = markOf(id);
  const trimmed = text.trimEnd();
  if (trimmed.endsWith(mark)) return trimmed;
  return trimmed === '' ? mark : `${trimmed} ${mark}`;
}

/** Returns the text as it was drafted, without its mark. */
export function withoutMark(text: string, id: string): string {
  const mark = markOf(id);
  return text.endsWith(mark) ? text.slice(0, -mark.length).trimEnd() : text;
}
