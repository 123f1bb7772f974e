import { type Incident, repeatsIn } from '../../core/model';
import { checksumOf } from '../checksum';
import { searchWords } from './words';

/** Number of words that identify a call elsewhere: its first ones, without paths, numbers and options. */
const CALL_WORDS = 4;
const ERROR_WORDS = 12;

/**
 * Returns the key of the pattern that an incident is about: its rule, its tool and command, and the error line of its last result. Incidents of other
 * sessions, folders and agents with the same key were stuck in the same way.
 */
export function patternOf(incident: Pick<Incident, 'detector' | 'rule' | 'subject' | 'evidence'>): string {
  const error = errorLineOf(incident);
  const parts = [
    incident.detector,
    incident.rule ?? '',
    wordsIn(incident.subject, CALL_WORDS),
    error === '' ? '' : wordsIn(error, ERROR_WORDS),
  ];
  return checksumOf(parts.join('\n'));
}

/** Returns the first line that names an error in the last repeating result, otherwise its first line; empty if nothing is known. */
export function errorLineOf({ evidence }: Pick<Incident, 'evidence'>): string {
  const text = repeatsIn(evidence).findLast((one) => one.text !== '')?.text ?? '';
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => WORD.test(line));
  return lines.find(namesError) ?? lines[0] ?? '';
}

/** True if a line of a result names an error. */
export function namesError(line: string): boolean {
  return ERROR.test(line);
}

/** A letter or a digit: a line without one, such as a ruler or a fence, says nothing. */
const WORD = /[\p{L}\p{N}]/u;
const ERROR = /\b(?:error|exception|failed|failure|fatal|denied|not found|cannot|undefined)\b|assert/i;

/** Returns the words without numbers in them: times, addresses and counts differ between two runs of the same call. */
function wordsIn(text: string, most: number): string {
  return searchWords(text.slice(0, 2_000))
    .filter((word) => !/\d/.test(word))
    .slice(0, most)
    .join(' ');
}
