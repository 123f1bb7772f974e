import { isCut } from '../../../base/util/cut';
import { type JsonRecord, parseRecord } from './json';

/** Half an escape before the mark of a cut: the text was cut as a string, not as the JSON that it contains. */
const HALF = /\\(?:u[0-9a-fA-F]{0,3})?(?=\u{F8F0})/u;

/**
 * Returns the arguments of a call that are written as JSON text. A long text was cut: if that broke the JSON, the text itself stands for the
 * arguments, and the call does not count as malformed.
 */
export function argumentsIn(text: string): { readonly args: JsonRecord | string; readonly malformed?: string } {
  if (text.trim() === '') return { args: {} };
  const args = parseRecord(text);
  if (args) return { args };
  if (!isCut(text)) return { args: text, malformed: 'the arguments are no JSON record' };
  return { args: parseRecord(text.replace(HALF, '')) ?? text };
}
