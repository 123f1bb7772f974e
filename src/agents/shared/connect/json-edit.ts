import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Kinds of token of jsonc-parser, whose own names exist only for its compiler. */
const COMMA = 5;
const LINE_COMMENT = 12;
const LINE_BREAK = 14;
const BLANKS = 15;
const END = 17;

/**
 * An edit of a person's JSON file that leaves every other byte as it is: comments, order, indentation, line breaks. Adding is pure insertion, so it
 * can be undone by deleting what was inserted. `modify` of jsonc-parser cannot do that: it reformats the neighbours of an insertion, and when it
 * removes a property it also removes the comment above it.
 */
export interface Insertion {
  /** Characters from the beginning of the original text. */
  readonly offset: number;
  readonly text: string;
}

/** Returns the tree of a text, with comments and trailing commas allowed; null if it is not JSON. A byte order mark is not part of it. */
export function parseJsonTree(text: string): Node | null {
  const errors: ParseError[] = [];
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  // The mark is replaced with a space, so that offsets stay the same.
  const root = parseTree(mark === 1 ? ` ${text.slice(1)}` : text, errors, { allowTrailingComma: true });
  return root && errors.length === 0 ? root : null;
}

/** Returns the value of a property; if several have this name, the last, which is the one that counts. */
export function propertyOf(object: Node, name: string): Node | undefined {
  return (object.children ?? []).filter((property) => property.children?.[0]?.value === name).at(-1)?.children?.[1];
}

/** Addition to an object (`name`) or an array (no name). */
export interface JsonItem {
  readonly name?: string;
  readonly value: unknown;
}

/** Line break and indentation of a text. */
export interface Style {
  readonly line: string;
  readonly indent: string;
}

export function styleOf(text: string): Style {
  return {
    line: text.includes('\r\n') ? '\r\n' : '\n',
    indent: /^[\uFEFF]?\s*[{[][^\n]*\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
  };
}

/** Adds items at the end of an object or an array, in the style of the file. */
export function insertInto(
  text: string,
  container: Node,
  items: readonly JsonItem[],
  style: Style,
): readonly Insertion[] {
  const end = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const from = last ? last.offset + last.length : container.offset + 1;
  const inner = text.slice(container.offset, end);
  if (last && !inner.includes('\n')) {
    const comma = commaAfter(text, from, end);
    const words = items.map((item) => written(item, '', '')).join(', ');
    return [{ offset: comma === null ? from : comma + 1, text: comma === null ? `, ${words}` : ` ${words}` }];
  }

  const outer = indentAt(text, container.offset);
  const deep = (last && ownIndent(text, container.children?.[0])) ?? outer + style.indent;
  const tail = text.slice(from, end);
  const at = from + tail.trimEnd().length;
  const words = items
    .map((item) => style.line + deep + written(item, style.indent, deep).replaceAll('\n', style.line))
    .join(',');
  // A closing bracket on the same line is moved to a line of its own.
  const closing = text.slice(at, end).includes('\n') ? '' : style.line + outer;
  const added = words + closing;
  if (!last || commaAfter(text, from, end) !== null) return [{ offset: at, text: added }];
  return at === from
    ? [{ offset: at, text: `,${added}` }]
    : [
        { offset: from, text: ',' },
        { offset: at, text: added },
      ];
}

/** Removes a property or an element, with the comma that belongs to it. Text between other items stays. */
export function removeFrom(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const end = container.offset + container.length - 1;
  const before = children[index - 1];
  const after = children[index + 1];
  const childEnd = child.offset + child.length;
  const follows = commaAfter(text, childEnd, after?.offset ?? end);
  const leads = before && follows === null ? commaAfter(text, before.offset + before.length, child.offset) : null;
  const start = text.slice(0, child.offset).trimEnd().length;
  const rest = follows === null ? childEnd : follows + 1;
  // The whitespace before it is removed with it, but not a line break that ends a comment, unless another line break follows.
  const comment =
    endsInLineComment(text, before ? before.offset + before.length : container.offset + 1, start) &&
    !/^[ \t]*\r?\n/.test(text.slice(rest));
  const cuts: [number, number][] = [];
  if (leads !== null) cuts.push([leads, leads + 1]);
  cuts.push([comment ? child.offset : Math.max(start, (leads ?? -1) + 1), childEnd]);
  if (follows !== null) cuts.push([follows, follows + 1]);
  // Around an only child, the brackets are closed up.
  if (text.slice(container.offset + 1, start).trim() === '' && text.slice(rest, end).trim() === '')
    cuts.push([rest, end]);
  return cuts.reduceRight((left, [from, to]) => left.slice(0, from) + left.slice(to), text);
}

/** Returns the text with all insertions, and the place of each in it. */
export function insert(
  text: string,
  insertions: readonly Insertion[],
): { text: string; spans: readonly (readonly [number, number])[] } {
  let result = text;
  let shift = 0;
  const spans: [number, number][] = [];
  for (const { offset, text: added } of [...insertions].sort((one, other) => one.offset - other.offset)) {
    result = result.slice(0, offset + shift) + added + result.slice(offset + shift);
    spans.push([offset + shift, added.length]);
    shift += added.length;
  }
  return { text: result, spans };
}

/** Deletes the spans: the inverse of `insert`. */
export function cutOut(text: string, spans: readonly (readonly [number, number])[]): string {
  return spans.reduceRight((rest, [offset, length]) => rest.slice(0, offset) + rest.slice(offset + length), text);
}

function written(item: JsonItem, indent: string, deep: string): string {
  const value = JSON.stringify(item.value, null, indent).replaceAll('\n', `\n${deep}`);
  if (item.name === undefined) return value;
  return `${JSON.stringify(item.name)}:${indent === '' ? '' : ' '}${value}`;
}

/** Returns the offset of the comma between two places, skipping comments; null if there is none. */
function commaAfter(text: string, from: number, to: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return (scanner.scan() as number) === COMMA && scanner.getTokenOffset() < to ? scanner.getTokenOffset() : null;
}

function endsInLineComment(text: string, from: number, to: number): boolean {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let last = 0;
  for (let kind: number = scanner.scan(); kind !== END && scanner.getTokenOffset() < to; kind = scanner.scan()) {
    if (kind !== BLANKS && kind !== LINE_BREAK) last = kind;
  }
  return last === LINE_COMMENT;
}

/** Returns the whitespace at the beginning of the line that contains the offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Returns the indentation of a child that begins its line. */
function ownIndent(text: string, child: Node | undefined): string | undefined {
  if (!child) return undefined;
  const start = text.lastIndexOf('\n', child.offset - 1) + 1;
  const before = text.slice(start, child.offset);
  return start > 0 && before.trim() === '' ? before : undefined;
}
