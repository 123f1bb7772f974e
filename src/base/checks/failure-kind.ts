/** A message split into the part that is the same in every run and the values that may change between runs. */
export interface FailureKind {
  /** The first words of the message; numbers, times and addresses are `#`. At most 160 characters. */
  readonly kind: string;
  /** Values that each `#` of the kind replaced, in order: `['-6', '6']` for `assert -6 == 6`. */
  readonly values: readonly string[];
}

const WORDS = 14;
const LENGTH = 160;
const READ = 600;

/** Messages that compare: in them a quoted text is a value too. Elsewhere it is a name (`KeyError: 'total'`). */
const COMPARES =
  /^(?:E +(?! ))?(?:assert\b|assertion|\w*assert\w*(?:error)?\b|(?:[\w.]+\.)?assert\w*(?:error|exception)?:|expect|expected|failed asserting|left|right|got\b|want\b|values?\b|.{0,60}\b(?:expected|got|want|received|actual|to (?:be|equal|eq|match|contain|have)|but was|does not (?:equal|match)|not equal)\b)/i;
/** One value, recognised by its form. Each alternative begins with a different character and holds no nested repeat. */
const VALUE =
  /0x[0-9a-fA-F]{2,16}\b|\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b|\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?Z?|\b\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?\b|(?:\/private)?\/(?:tmp|var\/folders)\/[^\s'"`,;:)]{1,200}|(?<![\w.])[-+]?\d[\d_]{0,30}(?:[.,]\d{1,30}){0,4}(?:e[-+]?\d{1,4})?(?:n|ms|µs|ns|s|m|h|kB|KB|MB|GB|%)?(?![\w])/g;
/** The same for a message that compares: quoted texts and the words for values count too. */
const COMPARED = new RegExp(
  `'[^'\\n]{0,200}'|"[^"\\n]{0,200}"|\`[^\`\\n]{0,200}\`|${VALUE.source}|\\b(?:true|false|null|undefined|none|nil|nan|infinity|nullptr)\\b`,
  'gi',
);
/** Mark of a message that a compiler or linter cut short. */
const CUT = /(?:\.\.\.|…)$/;

/**
 * Splits a message into its fixed part and its values. Quoted texts are values only in tests: what a compiler quotes is a name or a type, and a
 * different one is a different failure.
 */
export function failureKind(message: string, ofTest: boolean): FailureKind {
  const text = message.slice(0, READ);
  const values: string[] = [];
  const masked = text
    .replace(ofTest && COMPARES.test(text) ? COMPARED : VALUE, (value) => {
      values.push(value);
      return '#';
    })
    // a list says the same with more or fewer entries
    .replace(/#(?:, ?#){1,200}/g, '#')
    .replace(CUT, '')
    .replace(/\s+/g, ' ')
    .trim();
  const kind = masked.split(' ').slice(0, WORDS).join(' ').slice(0, LENGTH);
  return { kind, values };
}
