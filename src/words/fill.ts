import { whole } from './format';
import { type Sentence, code } from './parts';

/** Values of placeholders. Numbers are written as whole counts; what else is to be shown comes as text. */
export type Values = Readonly<Record<string, string | number>>;

const PLACEHOLDER = /\{([a-zA-Z]+)(?::([^{}]*))?\}/g;
const CODE = /`\{([a-zA-Z]+)\}`/;

/**
 * Fills a template: `{call}` is a value, `{count:# call|# calls}` the form for that number, with `#` for the number itself. The forms
 * stand in the order of the plural categories of the template's language; English has two. A value that is missing leaves nothing.
 */
export function fill(template: string, values: Values): string {
  return template.replace(PLACEHOLDER, (_all, name: string, forms: string | undefined) => {
    const value = values[name] ?? '';
    if (typeof value === 'string') return value;
    if (forms === undefined) return whole(value);
    const [one = '', other = one] = forms.split('|');
    return (value === 1 ? one : other).replace('#', whole(value));
  });
}

/** The same as a sentence: a value between back quotes is code, whatever characters it has. */
export function fillSentence(template: string, values: Values): Sentence {
  return template.split(CODE).flatMap((piece, index) => {
    if (index % 2 === 1) return [code(String(values[piece] ?? ''))];
    const text = fill(piece, values);
    return text === '' ? [] : [{ text }];
  });
}
