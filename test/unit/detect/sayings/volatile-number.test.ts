import { describe, expect, test } from 'vitest';
import { ignoredRanges } from '../../../../src/detect/sayings/mask';

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

describe('a time is ignored, however it is written', () => {
  test.each(
    [
      '9:05:01PM | 17:09:38+0100 | 11:05PM | 11:05 am | 09:59 | 20260105_1853 | 20260130-1853 | 20260131T1853',
      '9:05:01 | 17:09:38.123 | 17:09:38,5 | 9:05:01 PM | 17:09:38Z | 17:09:38+01:00 | 23:59 | 17:09',
      '2026-01-31 | 1999/12/01 | 2026-11-20 18:53 | 2026-11-20_1853 | 2026-11-20T18:53:50.123456+01:00',
      '2026-11-20-18-53-50 | 2026-11-20 18:53:50 UTC | 2026-11-20 18:53 GMT',
      '20261120_185350 | 20261120T1853Z | 20261120-1853 | 20261120_185350.123',
      'Mon Nov 2 | Monday, 2 November 2026 | Sun, 22 Nov 2026 | Nov 22 2026 | Nov 22, 2026',
      'Nov 22 13:26:24 | Nov 22 13:26:24.123 PM UTC 2026 | Nov 22 13:26 +0100 | Dec  1 09:00',
      ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
        (month) => `${month} 3 9:00`,
      ),
      ...['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => `${day} Jan 12`),
      '1795201256 | 1795201256123 | 1795201256.25 | 1495201256 | 1995201256',
    ].flatMap((line) => line.split(' | ')),
  )('%s', (time) => {
    expect(masked(`at ${time} x`)).toBe('at … x');
  });

  test.each(
    [
      '17:61:38 | 17:09:71 | 24:10 | 17:60 | 7:09 | 16:9 | 17:09:x | a17:09 | x:17:09',
      '2026-13-01 | 2026-00-10 | 2026-12-32 | 2026-12-00 | 1899-12-01 | 2026-11-200',
      '20261120 | 20261340_1853 | 30261120_1853 | 12345678',
      'Nov 22 | Monkey 5 | Sunday',
      '1395201256 | 2795201256 | 179520125 | 17952012561 | 1895201256x',
    ].flatMap((line) => line.split(' | ')),
  )('%s is not one', (text) => {
    expect(masked(`at ${text} x`)).toBe(`at ${text} x`);
  });
});

describe('how long something took is ignored', () => {
  test.each(
    [
      'ms | s | sec | secs | second | seconds | us | ns | msec | min | mins | minute | minutes | h',
      'hr | hrs | hour | hours | millisecond | milliseconds | microseconds | MS | µs | μs',
    ].flatMap((line) => line.split(' | ')),
  )('in %s', (unit) => {
    expect(masked(`in 12 ${unit}, x`)).toBe('in …, x');
    expect(masked(`in 1.5${unit} x`)).toBe('in … x');
  });

  test.each([
    ['5m 3s', '…'],
    ['5m3s', '…'],
    ['1h 2m 3s', '…'],
    ['1 min 5 s', '…'],
    ['1m 2.5s x', '… x'],
    ['2 h 5 x', '… 5 x'],
    ['1 min 5 x', '… 5 x'],
    ['5,5s', '…'],
  ])('even in several units: %s', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  test.each(
    [
      '3 kB/s | 3.5MiB/s | 3 TB/s | 3 GB/s | 3 KB/s | 3 b/s | 3 bytes/s | 3 bits/s | 3 Mbps',
      '3 it/s | 3 items/s | 3 ops/s | 3 req/s',
    ].flatMap((line) => line.split(' | ')),
  )('and how fast it was: %s', (rate) => {
    expect(masked(`at ${rate} x`)).toBe('at … x');
  });

  test.each(
    [
      '1.2.3 s | v1.2 s | 12  s | 12s5 | 12sx | 5m | 5 m | 5m3 | 1h2m | 5.s | 5 µx',
      '3 apples | 5 sets | 5 hosts | 5 keys | 5 items | 5 runs | 5 lines | 5 goals | 5 tests | 5 bugs',
      '5 nodes | 5 users | 5 orders | 5 millisecondss | 3 kB | 3 B/sx | 3 kx/s | 3 xB/s',
    ].flatMap((line) => line.split(' | ')),
  )('but no other count: %s', (text) => {
    expect(masked(text)).toBe(text);
    expect(masked(text, true)).toBe(text);
  });
});

describe('a number is ignored by its name', () => {
  test.each(
    [
      'pid 5 | pid: 5 | pid=5 | pid#5 | pid "5" | pid \'5\' | pid  :=5 | ppid 5 | pgid 5 | tid 5',
      'shellId: 5 | port_pid 3 | process 4711 | process 123 | thread 4711 | pids 4711',
      'elapsed_total 5 | took 5 | duration: 5 | a_ms: 5 | a_seconds: 5 | a_secs=5 | a_seed=5 | seed 5',
      'fooMillis=5 | fooSeconds=5 | requestNumber: 5 | request_count: 5 | request 5 | execution 5',
      'execution_count 5 | id 5 | ID=5 | Id 5 | task_id: 5 | taskId: 5 | taskID: 5 | an_Id 5',
      'pid 4711.5',
    ].flatMap((line) => line.split(' | ')),
  )('%s', (text) => {
    expect(masked(`${text} x`)).toBe(`${text.replace(/\d+(?:\.\d+)?/, '…')} x`);
  });

  test.each(
    [
      'rapid 5 | process 12 | thread 12 | process x 5 | pid     5 | pid 4711x',
      'tooks 5 | seeds 5 | requests 5 | request_countx: 5 | execution_counts 5',
      'APIs: 5 | birdseed 5 | valid: 5 | void 5 | x_id5 | idx 5 | lane 5 | calc 5',
    ].flatMap((line) => line.split(' | ')),
  )('but not %s', (text) => {
    expect(masked(text)).toBe(text);
    expect(masked(text, true)).toBe(text);
  });

  test('and so is a port that the system chose, which is 32768 or above', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(masked(`${host}:43211/x`)).toBe(`${host}:…/x`);
    expect(masked('localhost:32768 localhost:65535')).toBe('localhost:… localhost:…');
    const other = 'localhost:32767 localhost:65536 example.com:43211 localhost:4321 localhost:432111';
    expect(masked(other)).toBe(other);
  });
});

describe('the place of an error in a file is ignored', () => {
  test.each([
    ['calc.py:12', 'calc.py:…'],
    ['calc.py:12:5', 'calc.py:…:…'],
    ['calc.py:12,5', 'calc.py:…,…'],
    ['calc.py:12.5', 'calc.py:…'],
    ['src/calc:12', 'src/calc:…'],
    ['Makefile:12', 'Makefile:…'],
    ['at foo (a.js:12:5)', 'at foo (a.js:…:…)'],
    ['<anonymous>:12:5', '<anonymous>:…:…'],
    ['eval):12', 'eval):…'],
    ['x]:12', 'x]:…'],
    ['b.ts(12,5)', 'b.ts(…,…)'],
    ['12:5 error', '… error'],
    ['123456:5 error', '… error'],
    ['calc.py:123456', 'calc.py:…'],
    ['b.ts(12,345)', 'b.ts(…,…)'],
    ['calc.c:12', 'calc.c:…'],
    ['Main.java:12', 'Main.java:…'],
    ['src/calc1:12', 'src/calc1:…'],
    ['line: 12, column: 5', 'line: …, column: …'],
    ...['line', 'lines', 'col', 'ln', 'offset', 'position', 'char', 'character'].map((place) => [
      `${place} 12`,
      `${place} …`,
    ]),
  ] as [string, string][])('%s', (text, expected) => {
    expect(masked(text, true)).toBe(expected);
    // In a successful result, the place is what was requested.
    expect(masked(text)).toBe(text);
  });

  test.each(
    [
      'calc.py:1234567 | calc:12 | 127.0.0.1:8080 | b.ts(12) | (12,5) | f(12,x) | 1234567:5 error',
      '{"/api/users":12} | x.py-old:12 | profiles:12 | x(12 of 3,5) | a12:5 | 1.12:5 x | 12:x | a.py 12 | a.1:12 | -:12 | profile 12',
    ].flatMap((line) => line.split(' | ')),
  )('but %s is not a place', (text) => {
    expect(masked(text, true)).toBe(text);
  });
});
