import { whole } from '../../base/util/counts';
import { type Sentence, code } from './parts';

/** Values of placeholders. Numbers are written as whole counts; anything else must be passed as text. */
export type Values = Readonly<Record<string, string | number>>;

/** `{name}` is a value; `{count:# call|# calls}` is one form for 1 and one for every other number, with `#` for the number. */
const PLACEHOLDER = /\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g;
const CODE = /`\{([a-zA-Z]+)\}`/;

/** Fills a template of a card. A missing value becomes empty. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(PLACEHOLDER, (_all, name: string, one?: string, other?: string) => {
    const value = values[name] ?? '';
    if (typeof value === 'string') return value;
    const form = value === 1 ? one : other;
    return form === undefined ? whole(value) : form.replace('#', whole(value));
  });
}

/** Fills a template as a sentence: a value between back quotes is code, whatever its characters. */
export function fillSentence(text: string, values: Values): Sentence {
  return text.split(CODE).flatMap((piece, index) => {
    if (index % 2 === 1) return [code(String(values[piece] ?? ''))];
    const said = fill(piece, values);
    return said === '' ? [] : [{ text: said }];
  });
}
