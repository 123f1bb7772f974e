/**
 * The language of the interface. The English text stands where it is used and is the key under which a bundle of `l10n/` has it in another
 * language; without a bundle it is what is shown. docs/localisation.md says which texts are translated and how.
 *
 * A template has placeholders: `{name}` is a value, `{count:# call|# calls}` one form for each plural category of the language, with `#` for
 * the number. Values of a tagged template are named by their place: t`${n} {0:call|calls}` has the key `{0} {0:call|calls}`.
 */

/** A language and what it says for English texts. */
export interface Translation {
  /** BCP 47: `de`. */
  readonly language: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** Text, or the place of a value: with forms for a number, or without. */
export type Segment = string | { readonly name: string; readonly forms?: readonly string[] };

/** Categories of plural forms, in the order in which templates have their forms. */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

interface Language {
  readonly translation: Translation | undefined;
  /** What it says for English texts; a map, because a text of a transcript may have the name of anything. */
  readonly texts: ReadonlyMap<string, string>;
  /** The place of the form for a number among the forms of a template. */
  readonly formAt: (count: number) => number;
  readonly format: (count: number) => string;
  readonly decimal: string;
  readonly templates: Map<string, readonly Segment[]>;
  readonly tags: WeakMap<TemplateStringsArray, readonly Segment[]>;
}

const PLACEHOLDER = /\{(\w+)(?::([^{}]*))?\}/g;

/** Without `Intl`, which takes longer to load than a hook may run. */
const ENGLISH: Language = {
  translation: undefined,
  texts: new Map(),
  formAt: (count) => (count === 1 ? 0 : 1),
  format: (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ','),
  decimal: '.',
  templates: new Map(),
  tags: new WeakMap(),
};
let current = ENGLISH;

function languageOf(translation: Translation): Language {
  const { language } = translation;
  const plural = new Intl.PluralRules(language);
  const { pluralCategories } = plural.resolvedOptions();
  const categories = CATEGORIES.filter((one) => pluralCategories.includes(one));
  const numbers = new Intl.NumberFormat(language);
  return {
    translation,
    texts: new Map(Object.entries(translation.texts)),
    formAt: (count) => categories.indexOf(plural.select(count)),
    format: (count) => numbers.format(count),
    decimal: numbers.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    templates: new Map(),
    tags: new WeakMap(),
  };
}

/** Sets the language of everything that is said from now on; undefined for English. Once, when the program starts. */
export function speak(translation: Translation | undefined): void {
  current = translation ? languageOf(translation) : ENGLISH;
}

/** The language that is spoken: `en`, `de`. */
export function spokenLanguage(): string {
  return current.translation?.language ?? 'en';
}

/** What is spoken now, for a page of ours; undefined for English. */
export function spoken(): Translation | undefined {
  return current.translation;
}

/** Runs with English, whatever is spoken: what agents read, and what is kept in files. Only for what is done when it returns. */
export function inEnglish<Result>(run: () => Result): Result {
  const before = current;
  current = ENGLISH;
  try {
    return run();
  } finally {
    current = before;
  }
}

/** What stands between whole and tenth: `1.5`, `1,5`. */
export function decimalMark(): string {
  return current.decimal;
}

/** The text of a template in the language that is spoken, with its placeholders; English where there is no other. */
export function template(english: string): string {
  return current.texts.get(english) ?? english;
}

/** Text or template, in the language that is spoken: t`Read ${n} {0:session|sessions}`. Numbers are written as whole counts. */
export function t(strings: TemplateStringsArray | string, ...values: readonly (string | number)[]): string {
  if (typeof strings === 'string') return template(strings);
  let text = '';
  for (const segment of segmentsOf(strings)) {
    text += typeof segment === 'string' ? segment : valueText(segment, values[Number(segment.name)]);
  }
  return text;
}

/**
 * English text that is translated where it is shown (`words/translated.ts`): what is kept, logged or compared before a person reads it.
 * Numbers are written as they are.
 */
export function english(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let text = '';
  for (const segment of pieces(strings, ENGLISH)) {
    if (typeof segment === 'string') text += segment;
    else {
      const value = values[Number(segment.name)] ?? '';
      text += segment.forms ? formOf(segment.forms, Number(value), ENGLISH).replace('#', String(value)) : String(value);
    }
  }
  return text;
}

/** A table of English texts that are translated where they are shown. Says only so: `npm run l10n` finds them by it. */
export function englishTexts<Table extends Readonly<Record<string, unknown>>>(table: Table): Table {
  return table;
}

/** A table of texts, each translated when it is read. */
export function texts<const Table extends Readonly<Record<string, string | readonly string[]>>>(table: Table): Table {
  const translated: unknown = Object.create(null);
  for (const [name, text] of Object.entries(table)) {
    const get = () => (typeof text === 'string' ? template(text) : text.map(template));
    Object.defineProperty(translated as object, name, { enumerable: true, get });
  }
  return translated as Table;
}

/** The key of a tagged template: its texts with `{0}`, `{1}` … between them. Forms right behind a number stand for it: `${n}{0:once|# times}`. */
function keyOf(strings: TemplateStringsArray): string {
  return strings.reduce((key, text, index) => `${key}{${index - 1}}${text}`).replaceAll(/\{(\d+)\}\{\1:/g, '{$1:');
}

/** The template of a tag in the language that is spoken, in pieces. Looked up once for each place of the source. */
export function segmentsOf(strings: TemplateStringsArray): readonly Segment[] {
  return pieces(strings, current);
}

function pieces(strings: TemplateStringsArray, language: Language): readonly Segment[] {
  const known = language.tags.get(strings);
  if (known) return known;
  const key = keyOf(strings);
  const segments = compiled(language.texts.get(key) ?? key, language);
  language.tags.set(strings, segments);
  return segments;
}

/** The same of a template that was looked up before. */
export function segmentsOfTemplate(text: string): readonly Segment[] {
  return compiled(text, current);
}

/** A template of the English source in pieces. */
export function englishSegments(text: string): readonly Segment[] {
  return compiled(text, ENGLISH);
}

/** Templates are few, but a text of a transcript may be taken for one. */
const MOST_TEMPLATES = 4_000;

function compiled(text: string, { templates }: Language): readonly Segment[] {
  const known = templates.get(text);
  if (known) return known;
  const segments: Segment[] = [];
  let from = 0;
  for (const found of text.matchAll(PLACEHOLDER)) {
    if (found.index > from) segments.push(text.slice(from, found.index));
    const [all, name = '', forms] = found;
    segments.push(forms === undefined ? { name } : { name, forms: forms.split('|') });
    from = found.index + all.length;
  }
  if (from < text.length) segments.push(text.slice(from));
  if (templates.size < MOST_TEMPLATES) templates.set(text, segments);
  return segments;
}

/** A value at its place, as the language that is spoken writes it; a value that is missing leaves nothing. */
export function valueText({ forms }: Exclude<Segment, string>, value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const written = whole(value);
  return forms ? formOf(forms, value, current).replace('#', written) : written;
}

/** The form for a number; a template of another language, which has other categories, gives its last. */
function formOf(forms: readonly string[], count: number, { formAt }: Language): string {
  return forms[formAt(count)] ?? forms.at(-1) ?? '';
}

/** Whole counts: `214`, `12,345`. What is not above 0 counts as 0. */
export function whole(count: number): string {
  const value = count > 0 ? Math.floor(count) : 0;
  return value < 1000 ? String(value) : current.format(value);
}
