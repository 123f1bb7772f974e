import { describe, expect, it } from 'vitest';
import { fenced, fencedLines, quotedLine } from '../../../src/recover/quote';

const lines = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `line ${n + from}`);
const text = (count: number) => lines(count).join('\n');
const inside = (quoted: string) => quoted.split('\n').slice(1, -1);

describe('a quotation', () => {
  it('of twelve lines is whole; of a longer text it has the end, and says how much is missing', () => {
    expect(fenced(text(12))).toBe(`\`\`\`\n${text(12)}\n\`\`\``);
    expect(inside(fenced(text(13)))).toEqual(['(1 line above left out)', ...lines(12, 2)]);
    expect(inside(fenced(text(14)))).toEqual(['(2 lines above left out)', ...lines(12, 3)]);
    expect(inside(fenced(text(5), { lines: 2 }))).toEqual(['(3 lines above left out)', 'line 4', 'line 5']);
  });

  it('keeps its beginning if that matters', () => {
    expect(inside(fenced(text(5), { lines: 2, keep: 'head' }))).toEqual([
      'line 1',
      'line 2',
      '(3 lines below left out)',
    ]);
    expect(inside(fenced(text(5), { lines: 2, keep: 'tail' }))[0]).toBe('(3 lines above left out)');
  });

  it('begins and ends with a line that is not empty, with its indentation', () => {
    expect(fenced('\n  \n  a\n\n  b  \n\n')).toBe('```\n  a\n\n  b\n```');
  });

  it('has lines of 160 characters', () => {
    expect(fenced('x'.repeat(160))).toBe(`\`\`\`\n${'x'.repeat(160)}\n\`\`\``);
    expect(fenced('x'.repeat(161))).toBe(`\`\`\`\n${'x'.repeat(159)}…\n\`\`\``);
    expect(fenced('abcdef', { width: 3 })).toBe('```\nab…\n```');
  });

  it('has a fence that its text cannot close', () => {
    expect(fenced('a `b` ``c``')).toMatch(/^```\n/);
    expect(fenced('````\na\n```')).toBe('`````\n````\na\n```\n`````');
    expect(fenced('see ```` here')).toMatch(/^`````\n/);
  });
});

describe('a quotation around the line that matters', () => {
  const around = (part: string | null, count = 40) => inside(fenced(text(count), { lines: 6, around: () => part }));

  it('has three lines before it', () => {
    expect(around('line 20')).toEqual(['(16 lines above left out)', ...lines(6, 17), '(18 lines below left out)']);
    expect(around(' line 20 ')).toEqual(around('line 20'));
  });

  it('does not go beyond the beginning or the end', () => {
    expect(around('line 2', 9)).toEqual([...lines(6, 1), '(3 lines below left out)']);
    expect(around('line 39')).toEqual(['(34 lines above left out)', ...lines(6, 35)]);
    expect(around('line 4', 6)).toEqual(lines(6));
  });

  it('is around the last line that has it, or at the end if none has it', () => {
    const twice = `${text(20)}\nline 5\n${text(20)}`;
    expect(inside(fenced(twice, { lines: 3, around: () => 'line 5' }))[1]).toBe('line 2');
    for (const part of [null, '', ' ', 'nowhere']) expect(around(part)[0]).toBe('(34 lines above left out)');
  });

  it('finds it by its first sixty characters', () => {
    const long = `${'y'.repeat(60)} and more`;
    const kept = inside(fenced(`${text(9)}\n${'y'.repeat(60)}\n${text(9)}`, { lines: 4, around: () => long }));
    expect(kept).toEqual([
      '(6 lines above left out)',
      'line 7',
      'line 8',
      'line 9',
      'y'.repeat(60),
      '(9 lines below left out)',
    ]);
    const shorter = `${'y'.repeat(59)}\n${text(9)}`;
    expect(inside(fenced(shorter, { lines: 4, around: () => long }))[0]).toBe('(6 lines above left out)');
  });
});

describe('quoted lines', () => {
  it('are all there, one line each, at most 300 characters', () => {
    const many = lines(30);
    expect(inside(fencedLines(many))).toEqual(many);
    expect(inside(fencedLines(['a\nb', 'c'.repeat(400)]))).toEqual(['a b', `${'c'.repeat(299)}…`]);
    expect(quotedLine('d'.repeat(300))).toBe('d'.repeat(300));
  });
});
