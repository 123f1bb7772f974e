import { describe, expect, test } from 'vitest';
import { ignoredRanges } from '../../../../src/detect/sayings/mask';

/** The text with the ignored parts written as `…`. */
function masked(text: string): string {
  let shown = '';
  let at = 0;
  for (const [start, end] of ignoredRanges(text, false)) {
    shown += `${text.slice(at, start)}…`;
    at = end;
  }
  return shown + text.slice(at);
}

describe('what an agent writes into a result is ignored to the end of its line', () => {
  test.each(
    [
      'Chunk ID:  | Wall time:  | Original token count:  | Process Group PGID:  | Elapsed:  | Finished in ',
      'Process running with session ID  | Background PIDs:  | Shell cwd was reset to  | Session ID: ',
      'real\t | user\t | sys\t',
    ].flatMap((line) => line.split(' | ')),
  )('%s', (head) => {
    expect(masked(`one\n${head}any words\ntwo`)).toBe('one\n…\ntwo');
    expect(masked(`one\n${head}any words`)).toBe('one\n…');
    expect(masked(`one ${head}any words`)).toBe(`one ${head}any words`);
    expect(masked(`one\nx${head}any words`)).toBe(`one\nx${head}any words`);
  });

  test('so is the number of a job, before its name', () => {
    expect(masked('[1] 4711\n')).toBe('…\n');
    expect(masked('[12]+  99 done')).toBe('… done');
    expect(masked('[3]- 4711 x')).toBe('… x');
    for (const text of ['[1] 4711.5', '[1] 4', '[12345] 4711', '[a] 4711', '[1]4711', '[1] 4711x', 'x [1] 4711'])
      expect(masked(text)).toBe(text);
  });

  test('and a reminder, to its end or to the end of the text', () => {
    const reminder = '<system-reminder>a\nb</system-reminder>';
    expect(masked(`one\n${reminder} two`)).toBe('one\n… two');
    expect(masked('one\n<system-reminder>a\nb')).toBe('one\n…');
    expect(masked('one\n<system-remind>a\nb')).toBe('one\n<system-remind>a\nb');
  });
});

describe('the place where a long result was stored is ignored', () => {
  test.each([
    ['Full output saved to /a/b.txt now', 'Full output … now'],
    ['Output written to: /a/b.txt', 'Output …'],
    ['(spilled to /a/b.txt)', '(…)'],
    ['[truncated to /a/b.txt]', '[…]'],
    ['<saved to /a/b.txt>', '<…>'],
    ['"saved to /a/b.txt"', '"…"'],
    ["'saved to /a/b.txt'", "'…'"],
  ])('%s', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  test.each(['listed to /a/b.txt', 'saved at /a/b.txt', 'unsaved to /a/b.txt', 'saved to-day'])(
    'but not %s',
    (text) => {
      expect(masked(text)).toBe(text);
    },
  );
});
