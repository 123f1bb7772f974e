import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanelSample } from '../../../../src/editor/panel-model';
import { compare, comparedText, withShortRulers } from '../../../../src/editor/panel-model/compare';

/** A sample whose ignored parts are in braces. */
function sample(marked: string): PanelSample {
  const ignored: [number, number][] = [];
  let text = '';
  for (const piece of marked.split(/(\{[^}]*\})/)) {
    const inside = /^\{(.*)\}$/s.exec(piece)?.[1];
    if (inside !== undefined && inside !== '') ignored.push([text.length, text.length + inside.length]);
    text += inside ?? piece;
  }
  return { file: '/t', line: 1, offset: 0, at: 0, text, ignored };
}

const heading = (first: string, last: string) => compare(sample(first), sample(last)).heading;

describe('the heading of first and last', () => {
  it('says what had to be ignored for them to be equal', () => {
    expect(heading('1 failed', '1 failed')).toBe('equal');
    expect(heading("'pytest-{41}/cwd0'\nin {3.41s}", "'pytest-{46}/cwd0'\nin {3.38s}")).toBe(
      'equal when 1 duration and 1 folder number are ignored',
    );
    expect(heading('in {3.41}s', 'in {3.38}s')).toBe('equal when 1 duration is ignored');
    expect(heading('at {0x7f01}, at {0x7f02}', 'at {0x7f11}, at {0x7f12}')).toBe('equal when 2 addresses are ignored');
    expect(heading('{17:02:11} {/tmp/a/b} pid {4711}', '{17:09:38} {/tmp/c/d} pid {4800}')).toBe(
      'equal when 1 time, 1 path and 1 number are ignored',
    );
  });

  it('does not name ignored parts that are equal anyway', () => {
    expect(heading('in {3.41s}', 'in {3.41s}')).toBe('equal');
  });

  it('counts the lines that differ', () => {
    expect(heading('a\nb\nc', 'a\nx\nc')).toBe('1 line differs');
    expect(heading('a\nb\nc', 'a\nx\ny\nc')).toBe('2 lines differ');
  });
});

describe('the lines', () => {
  const differing = (first: string, last: string) => {
    const result = compare(sample(first), sample(last));
    const at = (lines: readonly { differs: boolean }[]) =>
      lines.flatMap((line, index) => (line.differs ? [index] : []));
    return [at(result.first.lines), at(result.last.lines)];
  };

  it('that are in one result only are marked, even after an insertion', () => {
    expect(differing('a\nb\nc\nd', 'a\nnew\nb\nc\nd')).toEqual([[], [1]]);
    expect(differing('a\nb\nc\nd\ne', 'a\nx\nc\ny\ne')).toEqual([
      [1, 3],
      [1, 3],
    ]);
  });

  it('that differ only in ignored parts are equal', () => {
    expect(differing('took {1 s}\nb', 'took {2 s}\nx')).toEqual([[1], [1]]);
  });

  it('keep an ignored part that spans a line break on both lines', () => {
    const { first } = compare(sample('a{1\n2}b'), sample('a{3\n4}b'));
    expect(first.lines.map((line) => line.segments)).toEqual([
      [
        { text: 'a', ignored: false },
        { text: '1', ignored: true },
      ],
      [
        { text: '2', ignored: true },
        { text: 'b', ignored: false },
      ],
    ]);
  });

  it('are folded to 12 around the first that differs', () => {
    const lines = Array.from({ length: 214 }, (_, index) => `line ${index}`);
    const { last } = compare(sample(lines.join('\n')), sample(lines.with(99, 'x').join('\n')));
    expect([last.from, last.to]).toEqual([96, 108]);
  });

  it('are folded to the end when all are equal, because a result says its outcome there', () => {
    const text = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    const { first } = compare(sample(text), sample(text));
    expect([first.from, first.to]).toEqual([28, 40]);
  });

  it('lose no text, and those that are not marked are common to both in the same order', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd {1} e', '');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.array(line, { minLength: 1, maxLength: 30 }),
        (a, b) => {
          const first = sample(a.join('\n'));
          const last = sample(b.join('\n'));
          const result = compare(first, last);
          const textOf = (lines: typeof result.first.lines) =>
            lines.map((one) => one.segments.map((part) => part.text).join('')).join('\n');
          expect(textOf(result.first.lines)).toBe(first.text.replace(/\n+$/, ''));
          const common = (lines: typeof result.first.lines) => textOf(lines.filter((one) => !one.differs));
          expect(common(result.first.lines)).toBe(common(result.last.lines));
          if (first.text === last.text) expect(result.heading).toBe('equal');
        },
      ),
    );
  });

  it('are compared quickly even when everything differs', () => {
    const many = (word: string) => Array.from({ length: 2000 }, (_, index) => `${word} ${index}`).join('\n');
    const before = performance.now();
    expect(compare(sample(many('a')), sample(many('b'))).heading).toBe('2,000 lines differ');
    expect(performance.now() - before).toBeLessThan(500);
  });
});

describe('the compared text', () => {
  it('is the same for two results that are equal when parts are ignored', () => {
    const first = comparedText(sample('===== FAILURES =====\n1 failed in {3.41s}'));
    expect(first).toBe('===== FAILURES =====\n1 failed in ⟨duration⟩');
    expect(comparedText(sample('===== FAILURES =====\n1 failed in {3.38s}'))).toBe(first);
  });

  it('is shown without rulers that would wrap in a narrow box', () => {
    expect(withShortRulers(`${'='.repeat(33)} FAILURES ${'='.repeat(33)}\n-------`)).toBe(
      '==== FAILURES ====\n-------',
    );
  });

  it('has no rulers as wide as a terminal', () => {
    expect(comparedText(sample(`${'='.repeat(30)} FAILURES ${'='.repeat(31)}\n${'_'.repeat(60)} test`))).toBe(
      '==== FAILURES ====\n____ test',
    );
  });
});
