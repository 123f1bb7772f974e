import { inEnglish, segmentsOfTemplate, template, valueText } from '../util/l10n';
import { type Sentence, code } from './parts';

/** Values of placeholders. Numbers are written as whole counts; what else is to be shown comes as text. */
export type Values = Readonly<Record<string, string | number>>;

const CODE = /`\{([a-zA-Z]+)\}`/;

/** Fills a template in English, for what agents read and what is kept. A value that is missing leaves nothing. */
export function fill(text: string, values: Values): string {
  return inEnglish(() => filled(text, values));
}

/** Fills what the language that is spoken has for a template. */
export function fillTranslated(text: string, values: Values): string {
  return filled(template(text), values);
}

/** The same as a sentence: a value between back quotes is code, whatever characters it has. */
export function fillSentence(text: string, values: Values): Sentence {
  return template(text)
    .split(CODE)
    .flatMap((piece, index) => {
      if (index % 2 === 1) return [code(String(values[piece] ?? ''))];
      const said = filled(piece, values);
      return said === '' ? [] : [{ text: said }];
    });
}

function filled(text: string, values: Values): string {
  let said = '';
  for (const segment of segmentsOfTemplate(text)) {
    said += typeof segment === 'string' ? segment : valueText(segment, values[segment.name]);
  }
  return said;
}
