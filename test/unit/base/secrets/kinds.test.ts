import { describe, expect, it } from 'vitest';
import { presentable, redact } from '../../../../src/base/util/redact';
import { BREAKS, FORMS, inForm, shows, splitAt } from './forms';
import { KINDS } from './kinds';

const DOORS = { redact, presentable: (text: string) => presentable(text) };
const around = (text: string): string => `before it\n${text}\nbehind it`;
const withoutColours = (text: string): string => text.replaceAll(new RegExp(String.raw`\u001b\[[0-9;]*[mK]`, 'g'), '');

describe('a list of made-up secrets', () => {
  it('has at least 99 kinds', () => {
    expect(new Set(KINDS.map(({ kind }) => kind)).size).toBe(KINDS.length);
    expect(KINDS.length).toBeGreaterThanOrEqual(99);
  });

  it.each(FORMS)('survives nowhere: %s', (form) => {
    const why = new Map<string, number>();
    const written = KINDS.flatMap((kind) => {
      const one = inForm(kind, form);
      if ('text' in one) return [{ kind: kind.kind, ...one }];
      why.set(one.why, (why.get(one.why) ?? 0) + 1);
      return [];
    });
    const shown = Object.entries(DOORS).flatMap(([door, through]) =>
      written
        .filter(({ text, pieces }) => shows(withoutColours(through(around(text))), pieces))
        .map(({ kind }) => `${kind} (${door})`),
    );
    const not = [...why].map(([reason, count]) => `; ${count} not written so: ${reason}`).join('');
    console.log(`${form.padEnd(9)} ${written.length} kinds of secrets, ${shown.length} of them shown${not}`);
    expect(shown).toEqual([]);
    // HTML writes few characters differently.
    expect(written.length).toBeGreaterThanOrEqual(form === 'html' ? 50 : 99);
  });

  it.each(Object.entries(BREAKS))('shows no half where a line break splits one in the middle: %s', (_, how) => {
    const survivors = KINDS.filter((kind) => {
      const { text, pieces } = splitAt(kind, Math.floor(kind.secret.length / 2), how);
      return shows(redact(around(text)), pieces);
    });
    expect(survivors.map(({ kind }) => kind)).toEqual([]);
  });

  it.each([BREAKS.plain, BREAKS.windows, BREAKS.indented, BREAKS['with a backslash'], BREAKS['in a box']])(
    'shows no half wherever a line break splits one: %j',
    (how) => {
      const survivors = KINDS.flatMap((kind) =>
        Array.from({ length: kind.secret.length - 1 }, (_, index) => index + 1)
          // A key itself ends a line there.
          .filter((at) => !/\n/.test(kind.secret.slice(at - 1, at + 1)))
          .filter((at) => {
            const { text, pieces } = splitAt(kind, at, how);
            return shows(redact(around(text)), pieces);
          })
          .map((at) => `${kind.kind} at ${at}`),
      );
      expect(survivors).toEqual([]);
    },
  );
});
