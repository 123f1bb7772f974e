import { type Segment, englishSegments, inEnglish, segmentsOfTemplate, spoken, t, valueText } from '../util/l10n';

/**
 * English texts in the language that is spoken: explanations of rules, reasons and messages, which are made, kept and logged in English. A
 * text that was filled is recognised by its template. What no template makes stays as it is.
 */
export function translated(text: string): string {
  const translation = spoken();
  if (translation === undefined || text === '') return text;
  if (known.of !== translation) known = { of: translation, templates: templatesOf(translation.texts), said: new Map() };
  const before = known.said.get(text);
  if (before !== undefined) return before;
  const said = translate(text, DEPTH);
  if (known.said.size >= MOST_SAID) known.said.clear();
  known.said.set(text, said);
  return said;
}

/** Texts within texts: a sentence, its cause, and what the cause names. */
const DEPTH = 3;
/** Texts that are remembered; each is shown many times. */
const MOST_SAID = 500;
/** Longest text that is looked at, characters. */
const LONGEST = 2_000;
/** Letters that a template has to have of its own, so that it does not fit by accident; fewer where it begins with them. */
const LEAST_LETTERS = 8;
const LEAST_AT_START = 5;

interface Template {
  readonly english: string;
  readonly segments: readonly Segment[];
}

let known: {
  readonly of: unknown;
  readonly templates: readonly Template[];
  readonly said: Map<string, string>;
} = { of: undefined, templates: [], said: new Map() };

/** The templates with values, those with the most text of their own first: they say the most about a text that they fit. */
function templatesOf(texts: Readonly<Record<string, string>>): readonly Template[] {
  return inEnglish(() =>
    Object.keys(texts)
      .map((english) => ({ english, segments: englishSegments(english) }))
      .filter(({ segments }) => segments.some((one) => typeof one !== 'string') && isTelling(segments))
      .sort((a, b) => letters(b.segments) - letters(a.segments)),
  );
}

function isTelling(segments: readonly Segment[]): boolean {
  return letters(segments) >= (typeof segments[0] === 'string' ? LEAST_AT_START : LEAST_LETTERS);
}

function letters(segments: readonly Segment[]): number {
  const count = (text: string) => text.replace(/\P{L}/gu, '').length;
  return segments.reduce((sum, one) => {
    if (typeof one === 'string') return sum + count(one);
    return one.forms ? sum + Math.min(...one.forms.map(count)) : sum;
  }, 0);
}

function translate(text: string, depth: number): string {
  const whole = t(text);
  if (whole !== text) return whole;
  if (depth === 0 || text.length > LONGEST) return text;
  for (const { english, segments } of known.templates) {
    const values = valuesIn(text, segments);
    if (values) return filled(english, values, depth);
  }
  return text;
}

function filled(english: string, values: ReadonlyMap<string, string>, depth: number): string {
  let said = '';
  for (const segment of segmentsOfTemplate(t(english))) {
    if (typeof segment === 'string') said += segment;
    else {
      const value = values.get(segment.name) ?? '';
      const count = segment.forms ? Number(value.replaceAll(',', '')) : Number.NaN;
      said += Number.isNaN(count) ? inner(value, said, depth) : valueText(segment, count);
    }
  }
  return said;
}

/** A value of several words, or the first word of a text, may be a text of ours. What stands between back quotes or quotation marks is of the transcript. */
function inner(value: string, before: string, depth: number): string {
  const isOurs = /\s/.test(value) ? !/[`“"]$/.test(before) : before === '';
  return isOurs ? translate(value, depth - 1) : value;
}

/**
 * The values with which a template says a text; null where it does not. Each value ends where the text behind it comes next, so that this
 * takes a time that grows with the length alone. A count that a form has, without a place of its own, is read from the form.
 */
function valuesIn(text: string, segments: readonly Segment[]): ReadonlyMap<string, string> | null {
  const values = new Map<string, string>();
  let at = 0;
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index] ?? '';
    if (typeof segment === 'string') {
      if (!text.startsWith(segment, at)) return null;
      at += segment.length;
      continue;
    }
    if (segment.forms) {
      const form = formIn(text, at, segment.forms);
      if (!form) return null;
      at = form.end;
      if (form.count !== null) values.set(segment.name, form.count);
      continue;
    }
    const next = segments[index + 1];
    const end = index + 2 === segments.length ? endBefore(text, at, next) : endOf(text, at, next);
    if (end < 0) return null;
    const value = text.slice(at, end);
    const before = values.get(segment.name);
    if (before !== undefined && before !== value) return null;
    values.set(segment.name, value);
    at = end;
  }
  return at === text.length ? values : null;
}

/** Where the last value ends: what follows it is the end of the text. */
function endBefore(text: string, at: number, last: Segment | undefined): number {
  if (typeof last !== 'string') return endOf(text, at, last);
  const end = text.length - last.length;
  return end >= at && text.endsWith(last) ? end : -1;
}

/** A length of time has blanks, as what follows it may. */
const DURATION = /^\d+ (?:ms|s|min|h|d)\b(?: \d+ (?:min|s)\b)?/;
const LONGEST_DURATION = 20;

/** Where a value ends that begins at `at`, by what follows it; -1 where that does not follow. */
function endOf(text: string, at: number, next: Segment | undefined): number {
  if (next === undefined) return text.length;
  if (typeof next === 'string') {
    const duration = DURATION.exec(text.slice(at, at + LONGEST_DURATION))?.[0] ?? '';
    return text.indexOf(next, at + duration.length);
  }
  if (!next.forms) return at;
  for (let end = at; end <= text.length; end++) if (formIn(text, end, next.forms)) return end;
  return -1;
}

/** The form of a count that stands at `at`, where it ends, and the number in it. */
function formIn(text: string, at: number, forms: readonly string[]): { end: number; count: string | null } | null {
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const [head = '', tail] = form.split('#');
    if (!text.startsWith(head, at)) continue;
    if (tail === undefined) {
      // A form without a number still says which one it is: the first is for 1.
      return { end: at + head.length, count: form === forms[0] ? '1' : null };
    }
    const digits = /^[\d,]+/.exec(text.slice(at + head.length, at + head.length + 20))?.[0];
    if (digits === undefined || !text.startsWith(tail, at + head.length + digits.length)) continue;
    return { end: at + head.length + digits.length + tail.length, count: digits };
  }
  return null;
}
