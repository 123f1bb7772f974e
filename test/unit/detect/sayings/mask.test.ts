import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ignoredRanges, isAllMasked, maskedFingerprint, rawFingerprint } from '../../../../src/detect/sayings/mask';
import { cutMark } from '../../../../src/base/util/cut';

/** The text with the ignored parts written as `…`. */
function masked(text: string, failed = false): string {
  let shown = '';
  let at = 0;
  for (const [start, end] of ignoredRanges(text, failed)) {
    shown += `${text.slice(at, start)}…`;
    at = end;
  }
  return shown + text.slice(at);
}

function same(one: string, other: string, failed = false): boolean {
  return maskedFingerprint(one, failed) === maskedFingerprint(other, failed);
}

describe('what a comparison of results ignores', () => {
  test.each([
    ['ISO times', 'at 2026-11-20T18:53:50.123Z sharp', 'at … sharp'],
    ['dates with a clock', 'on 2026-11-20 18:53:50,123 INFO', 'on … INFO'],
    ['clock times', 'at 17:09:38 and 9:05:01 PM', 'at … and …'],
    ['short clock times', 'since 17:09 today', 'since … today'],
    ['durations', '3 passed in 0.12s, 12ms, 1.5 seconds, 4 min', '3 passed in …, …, …, …'],
    ['durations of several units', 'took 1m23.4s or 2h 3m 4s', 'took … or …'],
    ['micro seconds', 'in 14 µs', 'in …'],
    ['process ids', 'started, pid 4711; PID: 12, pgid=99', 'started, pid …; PID: …, pgid=…'],
    ['jobs of a shell', '[1] 4711', '…'],
    ['addresses', '<Foo object at 0x7f3a2b1c9d80>', '<Foo object at …>'],
    ['UUIDs', 'id 123e4567-e89b-12d3-a456-426614174000.', 'id ….'],
    ['UUIDs that begin with letters', 'abcdefab-e89b-12d3-a456-426614174000', '…'],
    ['digests', 'commit 4be19c2f0 done', 'commit … done'],
    ['ids of requests', 'request req_011CQ2b7Xz9KqT4m5 failed', 'request … failed'],
    ['named ids', 'session_id: a1b2c3', 'session_id: …'],
    ['epoch times', 'stamp 1795201256 and 1795201256123', 'stamp … and …'],
    ['temporary folders of Python', 'in /tmp/tmpab12cd34/x.py', 'in /tmp/…/x.py'],
    ['temporary files of mktemp', '/tmp/tmp.AbCdEf1234', '/tmp/…'],
    ['temporary folders of Node', '/tmp/build-aB3x9K/out', '/tmp/build-…/out'],
    ['folders of pytest', '/tmp/pytest-of-dev/pytest-12/test_a', '/tmp/pytest-of-dev/pytest-…/test_a'],
    ['temporary folders of macOS', '/var/folders/zz/ab12_cd/T/x', '/var/folders/…/T/x'],
    ['colours', '\u001b[31mred\u001b[0m', '…red…'],
    ['several escapes in a row, as one', '\u001b[31m\u001b[1mred pid 12', '…red pid …'],
    ['keys and insertions', '\u001b[3~x\u001b[2@y', '…x…y'],
    ['titles of a terminal', '\u001b]0;a title\u0007text\u001b]0;other\u001b\\more', '…text…more'],
    ['an escape that is not whole', 'a\u001b[31', 'a…'],
    ['a title that is not whole', 'a\u001b]0;title', 'a…'],
    ['single controls', 'a\u001bcb\u0007c', 'a…b…c'],
    ['the first and the last of the spinners', '\u2800 a \u28ff b', '… a … b'],
    ['UUIDs of digits, though a name stands before', 'id 12345678-e89b-12d3-a456-426614174000 x', 'id … x'],
    ['spinners', '⠋ loading', '… loading'],
    ['headers of Codex', 'Chunk ID: 2730e8\nWall time: 0.0120 seconds\nOutput:', '…\n…\nOutput:'],
    ['the process group of Gemini CLI', 'ok\nProcess Group PGID: 10629', 'ok\n…'],
    ['reminders of Claude Code', 'text\n<system-reminder>\nanything\n</system-reminder>', 'text\n…'],
    ['where a long result was put', 'Full output saved to /home/me/x/3f.txt.', 'Full output …'],
    ['speeds', '3.3 MB at 748.0 kB/s', '3.3 MB at …'],
    ['durations by key', '{"duration_ms": 123, "elapsedTime":"5"}', '{"duration_ms": …, "elapsedTime":"…"}'],
    ['durations by key, with a fraction', '"duration": 1.25, time_ms=12.5', '"duration": …, time_ms=…'],
    [
      'durations by other keys',
      'elapsed 4, total_seconds: 9, timeMillis=12',
      'elapsed …, total_seconds: …, timeMillis=…',
    ],
    ['what a step took, in no unit', 'took: 5', 'took: …'],
    [
      'ids by key, however short',
      '"id": 5, "taskId":"7", task_id=12, ID: 3',
      '"id": …, "taskId":"…", task_id=…, ID: …',
    ],
    ['ids with letters, by key', '"id":"a1"', '"id":"…"'],
    ['random seeds', 'seed: 42, random_seed=7', 'seed: …, random_seed=…'],
    [
      'counters of executions and requests',
      '"execution_count": 5, request #7, request_count: 3',
      '"execution_count": …, request #…, request_count: …',
    ],
    ['written dates', 'on Sat Nov 22 13:26:24 UTC 2026.', 'on ….'],
    ['dates of a message', 'Date: Sat, 22 Nov 2026 13:26:24 GMT', 'Date: …'],
    ['dates of a listing', '-rw-r--r-- 1 me me 12 Nov 22 13:26 a.py', '-rw-r--r-- 1 me me 12 … a.py'],
    ['ports that the system chose', 'http://localhost:43211/x', 'http://localhost:…/x'],
  ])('%s', (_, text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  test('line numbers count, except in the result of a failed call', () => {
    const text = 'File "a.py", line 12\nb.ts(12,5): error\nc.rs:12:5: error';
    expect(masked(text)).toBe(text);
    expect(masked(text, true)).toBe('File "a.py", line …\nb.ts(…,…): error\nc.rs:…:…: error');
    expect(same('calc.py:14: AssertionError', 'calc.py:16: AssertionError', true)).toBe(true);
    expect(same('calc.py:14: AssertionError', 'calc.py:16: AssertionError', false)).toBe(false);
  });

  test('rulers count as one character, whatever their length', () => {
    expect(same('==== 1 failed in 0.9s ====', '=== 1 failed in 10.12s ==='.replaceAll('===', '====='))).toBe(true);
    expect(same('#### ██████░░░░ 40%', '######## ██████████ 40%')).toBe(true);
  });

  test('a progress bar that overwrites itself counts by its end', () => {
    expect(same('10%\r20%\r100%\ndone', '33%\r100%\ndone')).toBe(true);
    expect(same('a\r\nb\r\n', 'a\nb\n')).toBe(true);
    expect(same('a\r\rb', 'b')).toBe(true);
    expect(same('first\n10%\r100%', 'first\n100%')).toBe(true);
    expect(same('first\n10%\r100%', 'other\n100%')).toBe(false);
    expect(same('10%\r', '10%')).toBe(true);
    expect(same('a\r\nb', 'b')).toBe(false);
    expect(same('10%\rpid 12', 'pid 99')).toBe(true);
  });

  test('drawn lines and bars count once, whatever characters they are drawn with', () => {
    expect(same('a ─ b', 'a ────▟▟ b')).toBe(true);
    expect(same('a ▟ b', 'a b')).toBe(false);
    for (const other of ['\u24ff', '\u25a0', '\u27ff', '\u2900'])
      expect(same(`a ${other} b`, `a ${other}${other} b`)).toBe(false);
    expect(same('--- a', '-- a')).toBe(false);
    expect(same('---- a', '--- a')).toBe(false);
    expect(same('---- a', '==== a')).toBe(false);
  });

  test('a long text counts by its head, its tail and its length', () => {
    const long = (middle: string, tail = 'end'): string =>
      `${'head line\n'.repeat(4_000)}${middle}${'tail line\n'.repeat(4_000)}${tail}`;
    expect(same(long('three'), long('seven'))).toBe(true);
    expect(same(long('three'), long('four'))).toBe(false);
    expect(same(long('three'), long('three', 'END'))).toBe(false);
    expect(same(long('three'), `H${long('three').slice(1)}`)).toBe(false);
    const around = (middle: string, length: number): string =>
      `${'x'.repeat(32_768)}${middle}${'x'.repeat(length - 32_769)}`;
    expect(same(around('a', 65_536), around('b', 65_536))).toBe(false);
    expect(same(around('a', 65_537), around('b', 65_537))).toBe(true);
  });

  test('nothing is ignored beyond 65,536 characters', () => {
    const text = (before: number): string => `${' '.repeat(before)}2026-11-20 pid 12`;
    expect(ignoredRanges(text(65_526), false)).toEqual([[65_526, 65_536]]);
    expect(ignoredRanges(text(65_530), false)).toEqual([]);
  });

  test('adjacent ranges are one', () => {
    expect(ignoredRanges('\u001b[31m\u001b[1mx pid 12\u001b[0m', false)).toEqual([
      [0, 9],
      [15, 21],
    ]);
  });

  test('a row of minutes is not a duration, and is read only once', () => {
    const row = '1m '.repeat(21_000);
    expect(masked(`${row}x`)).toBe(`${row}x`.slice(0, 65_536));
    expect(masked('1h 2m 3s 4ms 5s')).toBe('… …');
  });

  test('spaces and line breaks are equal, and neither counts at the ends', () => {
    expect(same('a  \nb\n\n', 'a\nb')).toBe(true);
    expect(same('a   b', 'a b')).toBe(true);
    expect(same('\n  a b', 'a b  ')).toBe(true);
    expect(same('if x:\n  y', 'if x:\n    y')).toBe(true);
    // a terminal of another width wraps elsewhere
    expect(same('one line of text that goes on', 'one line of\ntext that goes on')).toBe(true);
    expect(same('a b', 'ab')).toBe(false);
  });
});

describe('what always counts', () => {
  test.each([
    ['3 failing', '2 failing'],
    ['epoch 4/40', 'epoch 5/40'],
    ['total 8192', 'total 8196'],
    ['40%', '41%'],
    ['version 1.2.3', 'version 1.2.4'],
    ['exit code 1', 'exit code 2'],
    ['HTTP 404', 'HTTP 500'],
    ['issue 42', 'issue 43'],
    ['.....F', '......F'],
    ['3 s shaped', '3 t shaped'],
    ['127.0.0.1:8080', '127.0.0.1:8081'],
    ['x = 10', 'x = 11'],
    ['valid: 5', 'valid: 6'],
    ['grid: 3', 'grid: 4'],
    ['paid 5', 'paid 6'],
    ['candidate: 3', 'candidate: 4'],
    ['May 5 items', 'May 6 items'],
    ['March 3 files', 'March 4 files'],
    ['page 3', 'page 4'],
  ])('%s is not %s', (one, other) => {
    expect(same(one, other)).toBe(false);
    expect(same(one, other, true)).toBe(false);
  });

  test('a failure is not a success with the same text', () => {
    expect(maskedFingerprint('x', true)).not.toBe(maskedFingerprint('x', false));
  });

  test('a change in the middle of a long text', () => {
    const long = (word: string): string => `${'line of text\n'.repeat(2000)}${word}\n${'line of text\n'.repeat(2000)}`;
    expect(same(long('three'), long('seven'))).toBe(false);
    expect(rawFingerprint(long('three'), false)).not.toBe(rawFingerprint(long('seven'), false));
  });

  test('the digest that replaces a part cut out of a long text', () => {
    const cut = (digest: string): string => `head ${cutMark(123456, digest)} tail`;
    expect(same(cut('0123456789abcdef'), cut('0123456789abcde0'))).toBe(false);
    expect(same(cut('0123456789abcdef'), cut('0123456789abcdef'))).toBe(true);
    expect(isAllMasked(cut('0123456789abcdef').slice(5, -5), false)).toBe(false);
    expect(same('head \uf8f0one', 'head \uf8f0two')).toBe(false);
  });
});

describe('a result that consists of masked parts only', () => {
  test.each([
    ['a clock', '13:26:24'],
    ['a date', 'Sat Nov 22 13:26:24 UTC 2026'],
    ['a time', '2026-11-22T13:26:24Z\n'],
    ['a duration', '1m 23s'],
    ['a new id', '123e4567-e89b-12d3-a456-426614174000'],
    ['an epoch', '1795201256'],
    ['a clock between rulers', '-----\n13:26:24\n-----'],
    ['a clock in brackets', '(13:26:24).'],
    ['400 characters of clocks', `${'13:26:24\n'.repeat(44)}    `],
  ])('%s', (_, text) => {
    expect(isAllMasked(text, false)).toBe(true);
  });

  test.each([
    ['nothing at all', ''],
    ['a count', '7'],
    ['a word with a clock', 'done 13:26:24'],
    ['a check mark', '13:26:24 ✓'],
    ['a version', '1.2.3'],
    ['401 characters of clocks', `${'13:26:24\n'.repeat(44)}     `],
  ])('not %s', (_, text) => {
    expect(isAllMasked(text, false)).toBe(false);
  });
});

test('ranges are ascending and inside the text', () => {
  const text = 'pid 12 at 17:09:38 in 0.5s '.repeat(50);
  let last = 0;
  for (const [start, end] of ignoredRanges(text, true)) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(text.length);
});

test('equal texts have equal raw fingerprints, even with odd lengths', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'ä€', 'x'.repeat(70_001)]) {
    expect(rawFingerprint(text, false)).toBe(rawFingerprint(`${text} `.slice(0, -1), false));
    expect(rawFingerprint(`${text}y`, false)).not.toBe(rawFingerprint(`${text}z`, false));
  }
});

test('accepts any text, and what is ignored lies within it', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\r',
        '\n',
        '\u001b[1',
        '/tmp/tmp',
        ':12',
        '0x',
        '12:',
        '<system-reminder>',
        '2026-11-20T',
        'pid ',
        '\ud800',
        '═══',
        '12m',
      ),
    ),
  );
  fc.assert(
    fc.property(pieces, fc.boolean(), (parts, failed) => {
      const text = parts.join('');
      let last = 0;
      for (const [start, end] of ignoredRanges(text, failed)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 500 },
  );
});
