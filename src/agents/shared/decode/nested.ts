import { isCut } from '../../../base/util/cut';
import { type JsonRecord, parseRecord } from './json';

/** Half an escape before the mark of a cut: the text was cut as a string, not as the JSON that it holds. */
const HALF = /\\(?:u[0-9a-fA-F]{0,3})?(?=\u{F8F0})/u;

/**
 * The arguments of a call that are written as a text of JSON. A long text was cut: where that broke the JSON, the text stands for the arguments
 * and nothing is said against the call.
 */
export function argumentsIn(text: string): { readonly args: JsonRecord | string; readonly malformed?: string } {
  if (text.trim() === '') return { args: {} };
  const args = parseRecord(text);
  if (args) return { args };
  if (!isCut(text)) return { args: text, malformed: 'the arguments are no JSON record' };
  return { args: parseRecord(text.replace(HALF, '')) ?? text };
}
