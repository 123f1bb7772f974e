import type { Evidence, Incident, Sample, Source } from '../../model';
import type { Excerpt, ExcerptEntry } from './excerpt';

/**
 * Builds the excerpt around a place of the transcript from the incident alone, for when the transcript is gone: its evidence,
 * and its first and last result in full. Null where the place is not in its evidence.
 */
export function keptExcerpt(incident: Incident, place: Source): Excerpt | null {
  const { evidence, firstSample, lastSample, agentName, file } = incident;
  if (!evidence.some(({ source }) => isSame(source, place))) return null;
  const samples = [firstSample, lastSample].filter((one) => one !== undefined);
  return { agentName, file, isKept: true, entries: evidence.map((one) => entryOf(one, place, samples)) };
}

function entryOf(one: Evidence, place: Source, samples: readonly Sample[]): ExcerptEntry {
  const { at, source, step, subject } = one;
  const sample = samples.find((kept) => isSame(kept.source, source) || (one.end && isSame(kept.source, one.end)));
  const text = sample?.text ?? one.text;
  const base = { at, line: source.line, isLit: isSame(source, place) };
  // Anything but a step is a message.
  if (step === undefined) return { ...base, kind: 'agent', text: text === '' ? subject : text };
  return { ...base, kind: 'call', text: subject, result: { text, failed: false, at: sample?.at ?? at } };
}

function isSame(a: Source, b: Source): boolean {
  return a.file === b.file && a.line === b.line && a.offset === b.offset;
}
