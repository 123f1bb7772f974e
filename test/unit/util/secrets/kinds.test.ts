import { describe, expect, it } from 'vitest';
import { presentable, redact } from '../../../../src/util/redact';
import { FORMS, type Form, inForm, KINDS } from './kinds';

const WITHOUT_COLOURS = new RegExp(String.raw`\u001b\[[0-9;]*[mK]`, 'g');

const survivors = (form: Form, door: (text: string) => string): readonly string[] =>
  KINDS.filter((kind) => {
    const { text, pieces } = inForm(kind, form);
    const shown = door(`before it\n${text}\nbehind it`).replace(WITHOUT_COLOURS, '');
    return pieces.some((piece) => shown.includes(piece));
  }).map(({ kind }) => kind);

/**
 * Broken in the middle by the end of a line, these are no longer what they were: nothing says that the next line belongs to them. Tokens
 * with a form of their own, private keys and headers of one are put together again.
 */
const MOST_SPLIT = 28;

describe('a list of secrets of our own making', () => {
  it('has at least 99 kinds', () => {
    expect(new Set(KINDS.map(({ kind }) => kind)).size).toBe(KINDS.length);
    expect(KINDS.length).toBeGreaterThanOrEqual(99);
  });

  it.each(FORMS.filter((form) => form !== 'split'))('survives nowhere: %s', (form) => {
    expect(survivors(form, redact)).toEqual([]);
    expect(survivors(form, (text) => presentable(text))).toEqual([]);
  });

  it('is counted where the end of a line breaks it', () => {
    const left = survivors('split', redact);
    console.log(
      `secrets: ${KINDS.length} kinds; ${left.length} show a half when a line ends within them: ${left.join(', ')}`,
    );
    expect(left.length).toBeLessThanOrEqual(MOST_SPLIT);
  });
});
